import type { BottleState, Release } from './bottle-state.js';
import * as on from './on-checks.js';
import { applied, idOf } from './testing.js';

const NOW = Date.parse('2026-03-02T08:00:00.000Z');
const at = (ms: number): Date => new Date(NOW + ms);
const bare = { _id: idOf(1), user_id: 'u1', medication: 'Cordrazine' };

/** What becomes of the state: as it was seen, and as it has become while the check worked. */
function released(
  state: BottleState,
  { id, seen, change, otherwise = {} }: Release,
  meanwhile: Partial<BottleState> = {},
): BottleState {
  expect(id).toBe(state._id);
  const now = { ...state, ...meanwhile };
  const isStill = Object.entries(seen).every(([field, value]) => now[field as keyof BottleState] === value);
  return applied(now, isStill ? change : otherwise);
}

describe('bottle_silent', () => {
  const silent = { ...bare, last_heard_at: at(0), silent_at: at(60) };

  it('disarms the deadline when it is raised', () => {
    const state = released(silent, on.onSilentAlert(silent, at(0), true));
    const { silent_at: _, ...rest } = silent;
    expect(state).toEqual({ ...rest, alerted_silence: 'lasting', silent_since: at(0), quiet: 'silent' });
  });

  it('is known to the state, and the deadline stays armed, if the bottle has reported meanwhile', () => {
    const meanwhile = { last_heard_at: at(61), silent_at: at(121) };
    expect(released(silent, on.onSilentAlert(silent, at(0), true), meanwhile)).toEqual({
      ...silent,
      ...meanwhile,
      alerted_silence: 'over',
      silent_since: at(0),
    });
  });

  it('that an unknown alert is in the way of makes that one known', () =>
    expect(released(silent, on.onSilentAlert(silent, at(0), false))).toEqual({
      ...silent,
      alerted_silence: 'over',
    }));

  it('postpones, disarms and arms again only the deadline that was seen', () => {
    expect(released(silent, on.onSilencePostponed(silent, at(90)))).toEqual({ ...silent, silent_at: at(90) });
    expect(released(silent, on.onNeverSeen(silent))).not.toHaveProperty('silent_at');
    expect(released(silent, on.onContactFound(silent, at(9), 60))).toEqual({
      ...silent,
      last_heard_at: at(9),
      silent_at: at(69),
    });
    const meanwhile = { silent_at: at(99) };
    expect(released(silent, on.onSilencePostponed(silent, at(90)), meanwhile)).toMatchObject(meanwhile);
  });

  it.each([
    ['resumes the opening that it inhibited', { open: true, open_inhibited: true } as const, at(102)],
    ['resumes nothing when the bottle is closed', { open_inhibited: true } as const, undefined],
    ['resumes nothing that was not inhibited', { open: true } as const, undefined],
  ])('at its end %s', (_, present, due) => {
    const state = { ...silent, ...present, alerted_silence: 'over' as const, silent_since: at(0) };
    const after = released(state, on.onSilenceEnd(state, at(100), 2));
    expect(after.open_overdue_at).toEqual(due);
    for (const field of ['alerted_silence', 'silent_since', 'open_inhibited'])
      expect(after).not.toHaveProperty(field);
  });

  it('ends later if an opening was inhibited meanwhile, which is to be resumed', () => {
    const state = { ...silent, open: true, alerted_silence: 'over', silent_since: at(0) } as const;
    const meanwhile = { open_inhibited: true } as const;
    const unended = released(state, on.onSilenceEnd(state, at(100), 2), meanwhile);
    expect(unended).toEqual({ ...state, ...meanwhile });
    expect(released(unended, on.onSilenceEnd(unended, at(101), 2)).open_overdue_at).toEqual(at(103));
  });

  it('that was orphaned is learned only if the bottle has reported and the state does not know it', () => {
    const learned = { alerted_silence: 'over', silent_since: at(0) };
    expect(released(silent, on.onOrphanedSilentAlert(silent, at(0)))).toEqual({ ...silent, ...learned });
    expect(released(silent, on.onOrphanedSilentAlert(silent, undefined))).toEqual(silent);
    expect(released(bare, on.onOrphanedSilentAlert(bare, at(0)))).toEqual(bare);
    const known = { ...silent, alerted_silence: 'over' as const };
    expect(released(known, on.onOrphanedSilentAlert(known, at(0)))).toEqual(known);
  });
});

describe('bottle_open', () => {
  const open = { ...bare, open: true as const, open_overdue_at: at(5) };
  const alerted = { alerted_opening: 'over', open_alerted_for: at(0) } as const;

  it('disarms the deadline when it is raised, and lasts', () => {
    const state = released(open, on.onOpenAlert(open, at(0), true));
    expect(state).toEqual({ ...bare, open: true, ...alerted, alerted_opening: 'lasting' });
  });

  it('is known to the state, as over, if the bottle was closed meanwhile', () =>
    expect(
      released(open, on.onOpenAlert(open, at(0), true), { open: undefined, open_overdue_at: undefined }),
    ).toEqual({ ...bare, ...alerted }));

  it('that an unknown alert is in the way of makes that one known', () =>
    expect(released(open, on.onOpenAlert(open, at(0), false))).toEqual({
      ...open,
      alerted_opening: 'over',
    }));

  it('is inhibited, postponed or disarmed', () => {
    expect(released(open, on.onOpenInhibited(open))).toEqual({ ...bare, open: true, open_inhibited: true });
    expect(released(open, on.onOpenPostponed(open, at(65)))).toEqual({ ...open, open_overdue_at: at(65) });
    expect(released(open, on.onNotOpen(open))).toEqual({ ...bare, open: true });
    expect(released(open, on.unchanged(open))).toEqual(open);
  });

  it('stays due if the silence that inhibits it ended meanwhile', () => {
    const state = { ...open, alerted_silence: 'lasting' } as const;
    const meanwhile = { alerted_silence: undefined };
    expect(released(state, on.onOpenInhibited(state), meanwhile)).toEqual({ ...state, ...meanwhile });
  });

  it('ends for the opening that it was raised for', () => {
    const state = { ...bare, ...alerted };
    expect(released(state, on.onOpenAlertEnd(state))).toEqual(bare);
    const meanwhile = { open_alerted_for: at(9) };
    expect(released(state, on.onOpenAlertEnd(state), meanwhile)).toEqual({ ...state, ...meanwhile });
  });

  it('that was orphaned is learned', () => {
    expect(released(bare, on.onOrphanedOpenAlert(bare, at(0)))).toEqual({ ...bare, ...alerted });
    expect(released(bare, on.onOrphanedOpenAlert(bare, undefined))).toEqual(bare);
  });
});

describe('a judgement of the doses', () => {
  const due: BottleState = {
    ...bare,
    dose_due_at: at(0),
    unjudged_removals: [{ id: idOf(2), time: at(-1) }],
    schedule_changed_at: at(-1),
    late: true,
    dose_wait: 'lasting',
    last_heard_at: at(-9),
  };
  const settled = { judged_until: at(0), late: false, awaiting_contact: false, neverReported: false };

  it('arms the next check and clears what it has seen', () =>
    expect(released(due, on.onDosesJudged(due, { ...settled, dose_due_at: at(60) }))).toEqual({
      ...bare,
      last_heard_at: at(-9),
      judged_until: at(0),
      dose_due_at: at(60),
    }));

  it('keeps what is late, waits, and is low', () => {
    const judged = { ...settled, late: true, awaiting_contact: true };
    expect(
      released(due, on.onDosesJudged(due, { ...judged, low_supply: { low: true, lowest_pills: 3 } })),
    ).toEqual({
      ...bare,
      last_heard_at: at(-9),
      judged_until: at(0),
      late: true,
      dose_wait: 'lasting',
      low_supply: { low: true, lowest_pills: 3 },
    });
  });

  it('make known that an alert is open as the bottle has never reported, so that its first report ends it', () =>
    expect(released(due, on.onDosesJudged(due, { ...settled, neverReported: true }))).toMatchObject({
      alerted_silence: 'lasting',
    }));

  it('of a bottle that is not in the registry disarms', () =>
    expect(released(due, on.onDosesJudged(due, undefined))).toEqual({ ...bare, last_heard_at: at(-9) }));

  it.each<Partial<BottleState>>([
    { unjudged_removals: [{ id: idOf(3), time: at(0) }] },
    { schedule_changed_at: at(1) },
    { dose_due_at: at(1) },
    { last_action: {} as NonNullable<BottleState['last_action']> },
  ])('changes nothing when meanwhile there came %j', (meanwhile) =>
    expect(released(due, on.onDosesJudged(due, settled), meanwhile)).toEqual({ ...due, ...meanwhile }),
  );

  it('minds a contact only while it waits for one', () => {
    const contact = { last_heard_at: at(1) };
    expect(released(due, on.onDosesJudged(due, settled), contact)).toMatchObject({ judged_until: at(0) });
    const waiting = on.onDosesJudged(due, { ...settled, awaiting_contact: true });
    expect(released(due, waiting, contact)).toEqual({ ...due, ...contact });
  });
});

describe('a closing that was lost', () => {
  const open = { ...bare, open: true as const, open_overdue_at: at(0) };
  const alerted = { alerted_opening: 'lasting', open_alerted_for: at(-9) } as const;

  it('is looked for again while the alert of the open bottle stands, if the opening has a count', () => {
    expect(released(open, on.onOpenAlert(open, at(-9), true))).toEqual({ ...bare, open: true, ...alerted });
    const looked = { ...open, ...alerted, open_overdue_at: at(30) };
    expect(released(open, on.onOpenAlert(open, at(-9), true, at(30)))).toEqual(looked);
    const again = released(looked, on.onStillCountedOpen(looked, at(60)));
    expect(again).toEqual({ ...looked, open_overdue_at: at(60) });
  });

  it('leaves a bottle that is not known to be open', () =>
    expect(released({ ...open, ...alerted }, on.onClosingLost({ ...open, ...alerted }))).toEqual(bare));
});

it('a changed schedule has the doses checked at once, or earlier', () => {
  expect(applied(bare, on.onScheduleChange(at(0)))).toMatchObject({
    dose_due_at: at(0),
    schedule_changed_at: at(0),
  });
  expect(applied({ ...bare, dose_due_at: at(-1) }, on.onScheduleChange(at(0))).dose_due_at).toEqual(at(-1));
});

it('quarantine disarms the deadline and keeps 500 characters of the error', () => {
  const failure = { check: 'DosesCheck', error: 'x'.repeat(501), at: at(0) };
  const state = applied({ ...bare, dose_due_at: at(0) }, on.onQuarantine('dose_due_at', failure));
  expect(state).toEqual({ ...bare, set_aside: { ...failure, error: 'x'.repeat(500) } });
});

it('a registered bottle has doses to check only if it has a schedule', () => {
  expect(on.onRegistration(bare)).toEqual({ ...bare, quiet: 'never_heard' });
  expect(on.onRegistration(bare, at(0))).toMatchObject({ dose_due_at: at(0) });
  expect(applied(bare, on.onRegistryChange({ user_id: 'u2' }))).toEqual({ ...bare, user_id: 'u2' });
});

describe('a plan of several bottles', () => {
  const REMOVAL = { id: idOf(7), time: at(1) };
  const leader = { ...bare, dose_due_at: at(5), plan_report: idOf(8) };
  const judged = { judged_until: at(9), late: false, awaiting_contact: false, neverReported: false };

  it('is judged again with what a further bottle has reported', () => {
    const change = applied(leader, on.onPlanReport([REMOVAL], idOf(9), at(4)));
    expect(change).toMatchObject({ dose_due_at: at(4), plan_report: idOf(9), unjudged_removals: [REMOVAL] });
  });

  it('is judged once more if that was reported meanwhile, though it was due before', () => {
    const release = on.onDosesJudged(leader, judged);
    expect(released(leader, release)).not.toHaveProperty('plan_report');
    expect(released(leader, release, { plan_report: idOf(9) })).toMatchObject({
      dose_due_at: at(5),
      plan_report: idOf(9),
    });
  });

  it('waits for the next contact with a further bottle, or finds that it has come', () => {
    const member = { ...bare, last_heard_at: at(1) };
    expect(released(member, on.onPlanWaits(member))).toMatchObject({ dose_wait: 'lasting' });
    expect(released(member, on.onPlanWaits(member), { last_heard_at: at(2) })).toMatchObject({
      dose_wait: 'over',
    });
  });

  it('goes on to wait if the further bottle was being checked meanwhile', () => {
    const member = { ...bare, last_heard_at: at(1), dose_wait: 'over' as const };
    const release = on.onDosesJudged(member, judged, true);
    expect(released(member, release)).not.toHaveProperty('dose_wait');
    expect(released(member, release, { dose_wait: 'lasting' })).toMatchObject({ dose_wait: 'lasting' });
    expect(released(member, release, { last_heard_at: at(2) })).toMatchObject({ dose_wait: 'over' });
  });
});
