import type { Message } from '#domain';
import { Cycle, LEGS, nextCycleAt } from './cycle.js';

const BEGAN = new Date('2026-03-02T06:15:00Z');
const OPEN_AFTER_MS = 5 * 60_000;

const at = (seconds: number): Date => new Date(BEGAN.getTime() + seconds * 1_000);

const message = (kind: string, event: string, more: object = {}): Message =>
  ({
    data: {
      kind,
      event,
      subject: BEGAN.toISOString(),
      deadline: at(300).toISOString(),
      alert_id: 'a1',
      ...more,
    },
  }) as Message;

const mail = (alert_id: string, event: string) => [{ alert_id, event }];

/** A cycle that takes its usual way up to a moment. */
function cycleUntil(seconds: number): Cycle {
  const cycle = new Cycle(BEGAN, OPEN_AFTER_MS, false);
  const steps: [number, () => void][] = [
    [0, () => cycle.succeed('heartbeat_stored', at(0))],
    [0, () => cycle.succeed('staff_served', at(0))],
    [0, () => cycle.succeed('opening_stored', at(0))],
    [75, () => cycle.receive(message('missed_dose', 'raised', { alert_id: 'a2' }), at(75))],
    [250, () => cycle.receive(message('missed_dose', 'missed', { alert_id: 'a2' }), at(250))],
    [302, () => cycle.receive(message('bottle_open', 'raised'), at(302))],
    [303, () => cycle.succeed('closing_stored', at(303))],
    [310, () => cycle.receive(message('bottle_open', 'resolved'), at(310))],
  ];
  for (const [due, step] of steps) if (due <= seconds) step();
  return cycle;
}

it('begins at a dose', () => {
  expect(nextCycleAt(new Date('2026-03-02T06:00:01Z'))).toEqual(BEGAN);
  expect(nextCycleAt(BEGAN)).toEqual(BEGAN);
});

it('is complete when every leg has come, and says how long each took', () => {
  expect(cycleUntil(309).isComplete).toBe(false);
  const cycle = cycleUntil(310);
  expect(cycle.isComplete).toBe(true);
  expect(cycle.failure(at(310))).toBeUndefined();
  expect(Object.keys(cycle.durations).sort()).toEqual(LEGS.filter((leg) => !leg.endsWith('_mailed')).sort());
  expect(cycle.durations).toMatchObject({
    dose_late: 15_000,
    dose_missed: 10_000,
    open_raised: 2_000,
    open_resolved: 7_000,
  });
});

it.each([
  [-1, 'heartbeat_stored', 0],
  [74, 'dose_late', 60],
  [249, 'dose_missed', 240],
  [301, 'open_raised', 300],
  [302, 'closing_stored', 302],
  [309, 'open_resolved', 303],
] as const)('fails if nothing comes after %i s: %s, three minutes after it was due', (last, leg, due) => {
  const cycle = cycleUntil(last);
  expect(cycle.failure(at(due + 180))).toBeUndefined();
  expect(cycle.failure(new Date(at(due + 180).getTime() + 1))).toBe(`${leg} has not come within 3 minutes`);
});

it('closes the lid after the deadline by its own clock: a closing before it would retract the alert', () => {
  const cycle = cycleUntil(0);
  cycle.receive(message('missed_dose', 'raised'), at(75));
  // by a clock that is 20 s behind that of the services
  cycle.receive(message('bottle_open', 'raised'), at(280));
  expect(cycle.isDue('closing_stored', at(300))).toBe(false);
  expect(cycle.isDue('closing_stored', at(301))).toBe(true);
  cycle.succeed('closing_stored', at(301));
  expect(cycle.isDue('closing_stored', at(302))).toBe(false);
});

it('fails if a notification comes before its deadline, by more than clocks may differ', () => {
  const right = cycleUntil(0);
  right.receive(message('missed_dose', 'raised'), at(0));
  expect(right.failure(at(1))).toBeUndefined();
  const wrong = cycleUntil(0);
  wrong.receive(message('missed_dose', 'raised'), at(-1));
  expect(wrong.failure(at(1))).toBe('dose_late came too early');
});

it('fails if notifications come in the wrong order', () => {
  const cycle = cycleUntil(0);
  cycle.receive(message('missed_dose', 'missed'), at(245));
  expect(cycle.failure(at(245))).toBe('dose_missed came before dose_late');
});

it('takes no notification of another cycle for its own, and a repeat changes nothing', () => {
  const cycle = cycleUntil(74);
  cycle.receive(message('missed_dose', 'raised', { subject: at(-900).toISOString() }), at(75));
  cycle.receive(message('bottle_open', 'raised', { deadline: at(-600).toISOString() }), at(75));
  cycle.receive(message('bottle_open', 'resolved', { alert_id: 'a0' }), at(75));
  cycle.receive(message('bottle_silent', 'raised'), at(75));
  expect(Object.keys(cycle.durations)).toHaveLength(3);
  expect(cycle.failure(at(75))).toBeUndefined();
  const done = cycleUntil(310);
  const { durations } = done;
  done.receive(message('missed_dose', 'raised'), at(320));
  expect(done.durations).toEqual(durations);
});

describe('with mail', () => {
  /** One that takes its usual way up to a moment; each mail comes a second after its webhook. */
  function mailedUntil(seconds: number): Cycle {
    const cycle = new Cycle(BEGAN, OPEN_AFTER_MS, true);
    const steps: [number, () => void][] = [
      [0, () => cycle.succeed('heartbeat_stored', at(0))],
      [0, () => cycle.succeed('staff_served', at(0))],
      [0, () => cycle.succeed('opening_stored', at(0))],
      [75, () => cycle.receive(late, at(75))],
      [76, () => cycle.receiveMail(mail('a2', 'raised'), at(76))],
      [250, () => cycle.receive(missed, at(250))],
      [251, () => cycle.receiveMail(mail('a2', 'missed'), at(251))],
      [302, () => cycle.receive(message('bottle_open', 'raised'), at(302))],
      [303, () => cycle.receiveMail(mail('a1', 'raised'), at(303))],
      [304, () => cycle.succeed('closing_stored', at(304))],
      [310, () => cycle.receive(message('bottle_open', 'resolved'), at(310))],
      [311, () => cycle.receiveMail(mail('a1', 'resolved'), at(311))],
    ];
    for (const [due, step] of steps) if (due <= seconds) step();
    return cycle;
  }
  const late = message('missed_dose', 'raised', { alert_id: 'a2' });
  const missed = message('missed_dose', 'missed', { alert_id: 'a2' });

  it('is complete when every mail has come, too, and says how long each took', () => {
    expect(mailedUntil(310).isComplete).toBe(false);
    const cycle = mailedUntil(311);
    expect([cycle.isComplete, cycle.failure(at(311))]).toEqual([true, undefined]);
    expect(Object.keys(cycle.durations).sort()).toEqual([...LEGS].sort());
    expect(cycle.durations).toMatchObject({
      dose_late_mailed: 16_000,
      dose_missed_mailed: 11_000,
      open_raised_mailed: 3_000,
      open_resolved_mailed: 7_000,
    });
  });

  it.each([
    [75, 'dose_late_mailed', 60],
    [250, 'dose_missed_mailed', 240],
    [302, 'open_raised_mailed', 300],
    [310, 'open_resolved_mailed', 304],
  ] as const)('fails if no mail comes after %i s: %s, three minutes after it was due', (last, leg, due) => {
    const cycle = mailedUntil(last);
    expect(cycle.failure(at(due + 180))).toBeUndefined();
    expect(cycle.failure(new Date(at(due + 180).getTime() + 1))).toBe(`${leg} has not come within 3 minutes`);
  });

  it('takes a mail that comes before its webhook, at the time when it came', () => {
    const cycle = mailedUntil(0);
    cycle.receiveMail(mail('a2', 'raised'), at(70));
    expect(cycle.isDone('dose_late_mailed')).toBe(false);
    cycle.receive(late, at(75));
    expect(cycle.durations).toMatchObject({ dose_late: 15_000, dose_late_mailed: 10_000 });
  });

  it('takes several notifications of one mail', () => {
    const cycle = mailedUntil(75);
    cycle.receive(missed, at(239));
    expect(cycle.failure(at(239))).toBeUndefined();
    cycle.receiveMail([...mail('a2', 'missed'), ...mail('a2', 'raised')], at(239));
    expect(cycle.failure(at(239))).toBeUndefined();
    expect(cycle.isDone('dose_late_mailed') && cycle.isDone('dose_missed_mailed')).toBe(true);
  });

  it('takes no mail of another cycle for its own, and a repeat changes nothing', () => {
    const cycle = mailedUntil(75);
    cycle.receiveMail([...mail('a0', 'raised'), ...mail('a2', '')], at(75));
    expect([cycle.isDone('dose_late_mailed'), cycle.failure(at(75))]).toEqual([false, undefined]);
    const done = mailedUntil(311);
    const { durations } = done;
    done.receiveMail(mail('a2', 'raised'), at(320));
    expect(done.durations).toEqual(durations);
  });

  it('fails if mails come in the wrong order, or too early', () => {
    const cycle = mailedUntil(75);
    cycle.receive(missed, at(239));
    cycle.receiveMail(mail('a2', 'missed'), at(239));
    expect(cycle.failure(at(239))).toBe('dose_missed_mailed came before dose_late_mailed');
    const early = mailedUntil(0);
    early.receiveMail(mail('a2', 'raised'), at(-1));
    early.receive(late, at(75));
    expect(early.failure(at(75))).toBe('dose_late_mailed came too early');
  });

  it('closes the lid when the mail has come: that of the closing must not overtake it', () => {
    expect(mailedUntil(302).isDue('closing_stored', at(400))).toBe(false);
    expect(mailedUntil(303).isDue('closing_stored', at(303))).toBe(true);
  });
});
