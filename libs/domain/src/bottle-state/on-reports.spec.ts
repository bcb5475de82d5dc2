import { PUT_BACK_WITHIN_MS } from '../doses/put-back.js';
import { MINUTE_MS } from '../time/durations.js';
import fc from 'fast-check';
import type { BottleState, GroupChange } from './bottle-state.js';
import { onRegistration } from './on-checks.js';
import { type LoggedAction, type LoggedReport, onAction, onContact, onReports } from './on-reports.js';
import { applied, idOf } from './testing.js';

const THRESHOLDS = {
  silentAfter: 60 * MINUTE_MS,
  openAfter: 5 * MINUTE_MS,
  backlogGrace: 2 * MINUTE_MS,
  batteryLowPercent: 5,
};
const NOW = Date.parse('2026-03-02T08:00:00.000Z');
const at = (ms: number): Date => new Date(NOW + ms);

const registered = onRegistration({ _id: idOf(1), user_id: 'u1', medication: 'Cordrazine' }, at(0));

function action(kind: 'opened' | 'closed', ms: number, more: Partial<LoggedAction> = {}): LoggedAction {
  return {
    _id: idOf(100),
    bottle_id: idOf(1),
    action: kind,
    time: at(ms),
    received_at: at(ms),
    mass_of_contents: 44,
    number_of_pills: 30,
    ...more,
  };
}

const after = (state: BottleState, ...actions: LoggedAction[]): BottleState =>
  actions
    .flatMap((one) => onAction(one, THRESHOLDS))
    .reduce((known, change) => applied(known, change), state);

describe('a contact', () => {
  it('arms the silence, and ends the wait of a dose', () => {
    const state = applied({ ...registered, dose_wait: 'lasting' }, onContact(at(0), THRESHOLDS.silentAfter));
    expect(state).toEqual({
      _id: idOf(1),
      user_id: 'u1',
      medication: 'Cordrazine',
      dose_due_at: at(0),
      next_dose_at: at(0),
      dose_wait: 'over',
      last_heard_at: at(0),
      silent_at: at(60 * MINUTE_MS),
    });
  });

  it('that arrives after a later one changes nothing', () => {
    const later = applied(registered, onContact(at(1), THRESHOLDS.silentAfter));
    expect(applied(later, onContact(at(0), THRESHOLDS.silentAfter))).toEqual(later);
  });
});

describe('an action', () => {
  it('opens and closes', () => {
    const open = after(
      { ...registered, alerted_opening: 'lasting', open_inhibited: true },
      action('opened', 0),
    );
    expect(open).toMatchObject({
      open: true,
      open_overdue_at: at(5 * MINUTE_MS),
      alerted_opening: 'over',
    });
    expect(open).not.toHaveProperty('open_inhibited');
    const closed = after(open, action('closed', 1));
    expect(closed).toMatchObject({ last_action: { action: 'closed', time: at(1) } });
    expect(closed).not.toHaveProperty('open');
    expect(closed).not.toHaveProperty('open_overdue_at');
  });

  it.each([
    [5 * MINUTE_MS - 1, 5 * MINUTE_MS],
    [5 * MINUTE_MS, 7 * MINUTE_MS],
    [60 * MINUTE_MS, 62 * MINUTE_MS],
  ])('an opening received after %d ms is overdue at %d ms', (received, due) =>
    expect(after(registered, action('opened', 0, { received_at: at(received) }))).toMatchObject({
      open_overdue_at: at(due),
    }),
  );

  it.each([
    ['earlier', action('opened', 0), action('closed', 1)],
    ['at the same moment', action('opened', 0, { _id: idOf(999) }), action('closed', 0)],
    ['and of two alike the greater id', action('closed', 0), action('closed', 0, { _id: idOf(101) })],
  ])('the newest stands: %s', (_, older, newest) => {
    const expected = { id: newest._id, action: newest.action, time: newest.time };
    expect(after(registered, older, newest).last_action).toMatchObject(expected);
    expect(after(registered, newest, older).last_action).toMatchObject(expected);
  });

  it('a removal waits for its judgement once, and is to be checked when it was received', () => {
    const removal = action('closed', -10, { pills_taken: 1, received_at: at(-5) });
    const state = after(registered, removal, removal);
    expect(state).toMatchObject({
      unjudged_removals: [{ id: idOf(100), time: at(-10) }],
      dose_due_at: at(-5),
    });
  });

  it('a closing without a removal is checked, but is no removal', () => {
    const state = after(registered, action('closed', -10, { pills_taken: 0 }));
    expect(state.dose_due_at).toEqual(at(-10));
    expect(state).not.toHaveProperty('unjudged_removals');
  });

  it.each([
    ['counts', { pills_taken: 0 }, at(-10 - PUT_BACK_WITHIN_MS)],
    ['counts, and does not say what was taken out,', {}, at(-10 - PUT_BACK_WITHIN_MS)],
    ['takes pills out', { pills_taken: 1 }, undefined],
  ])('a closing that %s has the doses since half an hour before judged again: %#', (_, reported, from) => {
    expect(after(registered, action('closed', -10, reported)).judge_again_from).toEqual(from);
  });

  it('a closing that counts nothing cannot put pills back, unless it does not say what was taken out either', () => {
    const { number_of_pills: _, ...closed } = action('closed', -10, { pills_taken: 0 });
    expect(after(registered, closed)).not.toHaveProperty('judge_again_from');
    const { pills_taken: __, ...unclear } = closed;
    expect(after(registered, unclear).judge_again_from).toEqual(at(-10 - PUT_BACK_WITHIN_MS));
  });
});

const heartbeat = (bottle: number, ms: number, battery_percent?: number, clockOffset = 0): LoggedReport => ({
  kind: 'heartbeat',
  document: {
    _id: idOf(1_000 + bottle),
    bottle_id: idOf(bottle),
    time: at(ms),
    ...(battery_percent === undefined ? {} : { battery_percent }),
  },
  receivedAt: at(ms),
  clockOffset,
});

it('of wrong clocks the latest stands, and of one moment the greater offset', () => {
  const reports = [heartbeat(1, 0, 50, 9), heartbeat(1, 1, 50, -5), heartbeat(1, 1, 50, 7), heartbeat(1, 2)];
  const single = reports.map((report) => onReports([report], THRESHOLDS)[0]!.change);
  for (const order of [single, single.toReversed()])
    expect(order.reduce((known, change) => applied(known, change), registered).bad_clock).toEqual({
      offset_ms: 7,
      at: at(1),
    });
  for (const order of [reports, reports.toReversed()]) {
    const [contact, ...more] = onReports(order, THRESHOLDS);
    expect(more).toEqual([]);
    const bad_clock = { offset_ms: 7, at: at(1) };
    expect(applied(registered, contact!.change)).toMatchObject({ last_heard_at: at(2), bad_clock });
  }
});

it('bottles that made contact change together, whatever their number and whatever they carry', () => {
  const plain = Array.from({ length: 100 }, (_, bottle) => heartbeat(bottle, 0));
  expect(onReports(plain, THRESHOLDS)).toEqual([
    { bottles: plain.map(({ document }) => document.bottle_id), change: onContact(at(0), 60 * MINUTE_MS) },
  ]);
  const full = plain.map((_, bottle) => heartbeat(bottle, 0, 50));
  expect(onReports(full, THRESHOLDS)).toEqual(onReports(plain, THRESHOLDS));
  const low = plain.map((_, bottle) => heartbeat(bottle, 0, bottle % 2 === 0 ? 4 : 50));
  expect(onReports(low, THRESHOLDS).map(({ bottles }) => bottles.length)).toEqual([50, 50]);
  // behind a hub with a wrong clock
  const off = plain.map((_, bottle) => heartbeat(bottle, 0, 50, -60 * MINUTE_MS));
  expect(onReports(off, THRESHOLDS).map(({ bottles }) => bottles.length)).toEqual([100]);
});

it('a bottle changes once, whatever it did', () => {
  const report = (document: LoggedAction): LoggedReport => ({
    kind: 'action',
    document,
    receivedAt: at(3),
    clockOffset: 0,
  });
  const actions = [
    action('opened', 0),
    action('closed', 1, { _id: idOf(101), pills_taken: 1 }),
    action('closed', 0, { _id: idOf(102), pills_taken: 2 }),
  ];
  const reports = [heartbeat(1, 2, 4), ...actions.map(report)];
  for (const order of [reports, reports.toReversed()]) {
    const [{ bottles, change, otherwise }, ...more] = onReports(order, THRESHOLDS) as [GroupChange];
    expect([bottles, more]).toEqual([[idOf(1)], []]);
    expect(applied(registered, change, otherwise)).toMatchObject({
      last_heard_at: at(3),
      last_action: { id: idOf(101) },
      dose_due_at: at(0),
    });
    // a newer one is known: the removals and the contact count all the same
    const newer = after(registered, action('opened', 2));
    const state = applied(newer, change, otherwise);
    expect(state.unjudged_removals).toHaveLength(2);
    expect(state).toMatchObject({
      last_heard_at: at(3),
      open: true,
      battery_low_at: expect.any(Date) as Date,
    });
  }
});

describe('the state is a function of the set of reports', () => {
  const moment = fc.constantFrom(-72 * 60, -60, -1, 0, 1, 5, 7).map((minutes) => at(minutes * MINUTE_MS));
  const offset = fc.constantFrom(0, 0, 3 * MINUTE_MS, -5 * MINUTE_MS);
  const arrivals = fc.record({ receivedAt: moment, clockOffset: offset });
  const contents = {
    mass_of_contents: fc.integer({ min: 0, max: 3 }),
    number_of_pills: fc.integer({ min: 0, max: 3 }),
  };
  const actions = fc
    .record({ time: moment, opened: fc.boolean(), pills_taken: fc.integer({ min: 0, max: 2 }), ...contents })
    .chain(({ opened, pills_taken, ...rest }) =>
      arrivals.map((arrival) => ({
        kind: 'action' as const,
        document: {
          ...rest,
          received_at: arrival.receivedAt,
          ...(opened ? { action: 'opened' as const } : { action: 'closed' as const, pills_taken }),
        },
        ...arrival,
      })),
    );
  const vitals = fc.record(
    {
      battery_percent: fc.integer({ min: 0, max: 9 }),
      rssi_dbm: fc.integer({ min: -9, max: 0 }),
      ...contents,
    },
    { requiredKeys: [] },
  );
  const heartbeats = fc.tuple(arrivals, vitals).map(([arrival, carried]) => ({
    kind: 'heartbeat' as const,
    document: { time: arrival.receivedAt, ...carried },
    ...arrival,
  }));
  const reports = fc.array(fc.oneof(actions, heartbeats), { minLength: 1, maxLength: 12 }).map((all) =>
    all.map(
      (one, index) =>
        ({
          ...one,
          document: { _id: idOf(100 + index), bottle_id: idOf(1), ...one.document },
        }) as LoggedReport,
    ),
  );
  /** The reports in any order and in any groups, some of them again, and the changes of a group in any order. */
  const arrangement = (all: LoggedReport[]): fc.Arbitrary<{ groups: LoggedReport[][]; reversed: boolean }> =>
    fc
      .tuple(
        fc.array(fc.constantFrom(...all), { maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 20, maxLength: 20 }),
        fc.boolean(),
      )
      .chain(([again, sizes, reversed]) => {
        const sent = [...all, ...again];
        return fc.shuffledSubarray(sent, { minLength: sent.length, maxLength: sent.length }).map((order) => {
          const rest = [...order];
          return { groups: sizes.map((size) => rest.splice(0, size)), reversed };
        });
      });

  function stateAfter(groups: LoggedReport[][], reversed = false): BottleState {
    let state: BottleState = registered;
    for (const group of groups) {
      const changes = onReports(group, THRESHOLDS);
      for (const { change, otherwise } of reversed ? changes.toReversed() : changes)
        state = applied(state, change, otherwise);
    }
    state.unjudged_removals?.sort((one, other) => one.id.toHexString().localeCompare(other.id.toHexString()));
    return state;
  }

  /** What is so. When doses are looked at again depends on what was known before: an opening may come after its closing. */
  const factsOf = (state: BottleState): object => ({
    ...state,
    judge_again_from: undefined,
    dose_due_at: undefined,
  });

  it('in any order, in any groups, and repeated', () => {
    const both = reports.chain((all) => fc.tuple(fc.constant(all), arrangement(all)));
    fc.assert(
      fc.property(both, ([all, { groups, reversed }]) => {
        const expected = stateAfter(all.map((one) => [one]));
        const state = stateAfter(groups, reversed);
        expect(factsOf(state)).toEqual(factsOf(expected));
        const actions = all.flatMap(({ document }) => ('action' in document ? document : []));
        for (const { action, received_at } of actions)
          if (action === 'closed') expect(+state.dose_due_at!).toBeLessThanOrEqual(+received_at);
        expect([registered.dose_due_at, ...actions.map(({ received_at }) => received_at)]).toContainEqual(
          state.dose_due_at,
        );
        const openings = actions.filter(({ action }) => action === 'opened');
        const returns = actions
          .filter(({ action, pills_taken = 0 }) => action === 'closed' && pills_taken === 0)
          .filter((one) => one.number_of_pills !== undefined || one.pills_taken === undefined)
          .map(({ time }) => new Date(time.getTime() - PUT_BACK_WITHIN_MS));
        for (const from of returns) expect(+state.judge_again_from!).toBeLessThanOrEqual(+from);
        expect([undefined, ...openings.map(({ time }) => time), ...returns]).toContainEqual(
          state.judge_again_from,
        );
      }),
      { seed: Number(process.env['PROPERTY_SEED'] ?? 20_260_302), numRuns: 500 },
    );
  });
});
