import { MINUTE_MS } from '../../../time/durations.js';
import type { BottleState } from '../../../bottle-state/bottle-state.js';
import { RecordedCoverage } from '../../../coverage/recorded-coverage.js';
import type { SlotJudgement } from '../../../doses/judge.js';
import type { Alert } from '../../alert.js';
import { findSilenceUnseen, isUndecided, type KnownSilences, unlistedUnknown } from './silence-unseen.js';

const START = Date.parse('2026-03-02T08:00:00Z');
const at = (minutes: number): Date => new Date(START + minutes * MINUTE_MS);
const bottle = { _id: { toHexString: () => 'b1' }, user_id: 'u', medication: 'Cordrazine' };
const state = { _id: bottle._id, last_heard_at: at(62) } as BottleState;
const slot = { scheduled_at: at(0), late_at: at(30), missed_at: at(45), pills: 1 };
const dose: object = { phase: 'judged', outcome: 'unknown', slot, pills_taken: 0, matched: [] };
const unknown = dose as SlotJudgement;
const back = { ...unknown, back_at: at(62) };

/** Reports were accepted all the time, except in a gap of ours. */
function coverage(gap: [number, number] = [-90, -89]): RecordedCoverage {
  const spans = [
    { from: at(-99), until: at(gap[0]) },
    { from: at(gap[1]), until: at(9_999) },
  ];
  return new RecordedCoverage(spans, { since: at(-99), now: at(9_999) }, 1_000);
}

interface Known {
  silences?: object[];
  gap?: [number, number];
  settledUntil?: Date;
  now?: Date;
  of?: BottleState;
  further?: KnownSilences['further'];
}

const unlisted = ({
  silences = [],
  gap,
  settledUntil = at(0),
  now = at(64),
  of = state,
  further = [],
}: Known = {}) =>
  unlistedUnknown(
    of,
    [unknown],
    {
      settledUntil,
      attested: [],
      untaken: [],
      coverage: coverage(gap),
      longGap: 10 * MINUTE_MS,
      graceMs: 30 * MINUTE_MS,
      silences: silences as Alert[],
      further,
    },
    now,
  );

describe('an unknown dose of which nobody was notified', () => {
  const silence = (...doses: Date[]) => ({
    kind: 'bottle_silent',
    evidence: { unconfirmed_doses: doses },
  });

  const other = (named: Date[], gets: boolean) => ({
    alerts: [{ ...silence(...named), open: true } as Alert],
    getsDose: () => gets,
  });

  it.each<[string, Known, number]>([
    ['no silence was raised', {}, 1],
    ['a silence is open, which gets the dose', { silences: [{ ...silence(), open: true }] }, 0],
    ['a silence that is over named it', { silences: [silence(at(0))] }, 0],
    ['a silence that is over named another', { silences: [silence(at(1))] }, 1],
    ['another bottle of the plan is silent, whose silence gets the dose', { further: [other([], true)] }, 0],
    ['another bottle is silent, which had left the plan', { further: [other([], false)] }, 1],
    ['an open silence of another bottle named it', { further: [other([at(0)], false)] }, 0],
    ['a gap of ours of 10 minutes touches it', { gap: [45, 55] }, 1],
    ['a longer gap of ours touches it', { gap: [44, 55] }, 0],
    ['it is late only when the grace after a longer gap is over', { gap: [-12, -1] }, 1],
    ['it is late by the end of the grace after a longer gap', { gap: [-11, 0] }, 0],
    ['it had its outcome before', { settledUntil: at(1) }, 0],
    ['it ended a day ago', { now: at(45 + 24 * 60) }, 1],
    ['it ended more than a day ago', { now: at(46 + 24 * 60) }, 0],
    ['the bottle has never reported', { of: { _id: bottle._id } as BottleState }, 0],
  ])('%s', (_, known, found) => expect(unlisted(known)).toHaveLength(found));

  it.each<[string, SlotJudgement, boolean]>([
    ['before the bottle is back', unknown, true],
    ['while a backlog may come', { ...back, next_look_at: at(64) }, true],
    ['afterwards', back, false],
  ])('is decided when a backlog had its grace: %s', (_, judged, undecided) => {
    expect(isUndecided(judged)).toBe(undecided);
    expect(findSilenceUnseen(bottle, [judged], at(64))).toMatchObject(
      undecided
        ? []
        : [
            {
              kind: 'missed_dose',
              evidence: { rule: 'silence_unseen', heard_at: at(62) },
              end: { owed: 'unknown' },
            },
          ],
    );
  });
});
