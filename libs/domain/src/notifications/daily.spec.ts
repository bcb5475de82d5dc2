import type { Alert } from '../alerts/alert.js';
import { unconfirmedDosesOf } from '../alerts/kinds/bottle-silent/silence.js';
import { DAY_MS, HOUR_MS } from '../time/durations.js';
import { AFTER_DAY_MS, dailySteps, dailyStepName, nextDailyAt, nothingNew, withDosesSince } from './daily.js';
import { ALERT, BOTTLE, delivery, NOW } from './testing.js';

const after = (ms: number): Date => new Date(NOW.getTime() + ms);
/** When the daily message of a day is due. */
const daily = (day: number): Date => after(day * DAY_MS + AFTER_DAY_MS);
const [FIRST, SECOND, THIRD] = [1, 2, 3].map((day) => after(day * DAY_MS - 6 * HOUR_MS)) as [
  Date,
  Date,
  Date,
];

const silence = (added: readonly [dose: Date, at: Date][], more: Partial<Alert<'bottle_silent'>> = {}) =>
  ({
    _id: ALERT,
    bottle_id: BOTTLE,
    user_id: 'anna',
    kind: 'bottle_silent',
    subject: '',
    state: 'open',
    open: true,
    raised_at: NOW,
    escalation: [
      { after: '0m', to: 'user' },
      { after: '0m', to: 'user', repeat: '3d' },
      { after: '30h', to: 'carer' },
    ],
    evidence: { rule: 'silent_after', unconfirmed_doses: [NOW, ...added.map(([dose]) => dose)] },
    doses_added: added.map(([dose, at]) => ({ dose, at })),
    ...more,
  }) as Alert;

/** An ended alert has no `open`. */
const ENDED = { open: undefined } as unknown as Partial<Alert<'bottle_silent'>>;

describe('a silence of days', () => {
  it('is sent a quarter of an hour after a day is full in which a dose was added, to whom a step has reached', () => {
    const alert = silence([[FIRST, FIRST]], { stepped_until: NOW });
    expect(dailySteps(alert, new Date(daily(1).getTime() - 1))).toEqual([]);
    expect(dailySteps(alert, daily(1))).toEqual([{ due: daily(1), to: 'user' }]);
    expect(dailySteps(silence([[SECOND, SECOND]], { stepped_until: daily(1) }), daily(2))).toEqual([
      { due: daily(2), to: 'user' },
      { due: daily(2), to: 'carer' },
    ]);
  });

  it('is sent once for a day, and once for several in which nobody looked', () => {
    const alert = silence([
      [FIRST, FIRST],
      [SECOND, SECOND],
    ]);
    expect(dailySteps({ ...alert, stepped_until: daily(2) }, new Date(daily(2).getTime() + 1))).toEqual([]);
    expect(dailySteps(alert, daily(3)).map(({ due }) => due)).toEqual([daily(2), daily(2)]);
  });

  it.each<[string, Partial<Alert<'bottle_silent'>>]>([
    ['no dose was added', { doses_added: [] }],
    ['it was added on a day before', { doses_added: [{ dose: FIRST, at: FIRST }], stepped_until: daily(1) }],
    ['it is snoozed', { snoozed_until: daily(1) }],
    ['it is of another kind', { kind: 'bottle_open' as never }],
    ['it has ended', ENDED],
  ])('is not sent if %s', (_what, more) => {
    const alert = silence([[SECOND, SECOND]], more);
    expect(dailySteps(alert, daily(2))).toEqual([]);
  });

  it('is due when the day is full in which a dose was added', () => {
    expect(nextDailyAt(silence([[FIRST, FIRST]]), FIRST)).toEqual(daily(1));
    expect(nextDailyAt(silence([[FIRST, FIRST]]), daily(1))).toBeUndefined();
    expect(nextDailyAt(silence([]), FIRST)).toBeUndefined();
    expect(nextDailyAt(silence([[SECOND, SECOND]]), SECOND)).toEqual(daily(2));
  });

  it('is due when a dose is found that no notifier looked at before its day was full', () => {
    const found = after(30 * HOUR_MS);
    const late = silence([], {
      doses_added: [
        { dose: FIRST, at: found, due_at: found },
        { dose: SECOND, at: SECOND, due_at: daily(2) },
      ],
      stepped_until: daily(1),
    });
    expect(nextDailyAt(late, daily(1))).toEqual(found);
    expect(dailySteps(late, found)).toEqual([
      { due: found, to: 'user' },
      { due: found, to: 'carer' },
    ]);
    expect(nextDailyAt(late, found)).toEqual(daily(2));
    expect(dailySteps({ ...late, stepped_until: found }, new Date(daily(2).getTime() - 1))).toEqual([]);
    // two of one day are two
    expect([daily(1), found, daily(2)].map((due) => dailyStepName(late, due))).toEqual([
      'daily:1',
      `daily:1:${found.getTime()}`,
      'daily:2',
    ]);
  });

  it('names a dose that ends at the moment of the day at which the silence was raised', () => {
    const alert = silence([[after(DAY_MS), after(DAY_MS + 1)]], { stepped_until: NOW });
    expect(dailySteps(alert, daily(1)).map(({ due }) => due)).toEqual([daily(1)]);
    expect(nextDailyAt(alert, after(DAY_MS + 1))).toEqual(daily(1));
  });

  it('names the doses that were added since the last notification that arrived, or may have', () => {
    const alert = silence([
      [FIRST, FIRST],
      [SECOND, SECOND],
      [THIRD, THIRD],
    ]);
    const third = delivery('escalated', { _id: 'third', step: 'daily:3' });
    const sent = (at: Date, ok: boolean, more: object = {}) =>
      delivery('raised', { status: ok ? 'delivered' : 'pending', attempts: [{ at, ok, ...more }] });
    const named = (...earlier: ReturnType<typeof delivery>[]) =>
      unconfirmedDosesOf(withDosesSince(alert, third, earlier));
    expect(named()).toEqual([NOW, FIRST, SECOND, THIRD]);
    expect(named(sent(after(DAY_MS), true))).toEqual([SECOND, THIRD]);
    // it has no answer, and may have arrived
    expect(named(sent(after(DAY_MS), false))).toEqual([SECOND, THIRD]);
    expect(named(sent(after(DAY_MS), false, { unsent: true }))).toEqual([NOW, FIRST, SECOND, THIRD]);
    expect(named({ ...sent(after(DAY_MS), true), recipient: 'carer:anna' })).toEqual([
      NOW,
      FIRST,
      SECOND,
      THIRD,
    ]);
    expect(nothingNew(third, withDosesSince(alert, third, [sent(SECOND, true)]))).toBeUndefined();
    expect(nothingNew(third, withDosesSince(alert, third, [sent(THIRD, true)]))).toEqual({
      kind: 'cancelled',
      reason: 'no dose since the last notification',
    });
    // it did not name what was added while it was composed
    expect(named(sent(THIRD, true, { doses: [NOW, FIRST, SECOND] }))).toEqual([THIRD]);
    // it has moved to several addresses
    const elsewhere = { ...sent(THIRD, true), step: third.step, channel: 'email', moved_from: [third] };
    expect(nothingNew(third, withDosesSince(alert, third, [elsewhere]))).toBeUndefined();
    // any other reminder names all
    const reminder = delivery('escalated', { _id: 'other', step: 'escalated:0:1' });
    expect(
      nothingNew(reminder, silence([], { evidence: { rule: 'silent_after' } as never })),
    ).toBeUndefined();
    expect(withDosesSince(alert, reminder, [sent(THIRD, true)])).toBe(alert);
  });
});
