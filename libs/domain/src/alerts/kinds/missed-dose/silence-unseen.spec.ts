import { MINUTE_MS } from '../../../time/durations.js';
import { RecordedCoverage } from '../../../coverage/recorded-coverage.js';
import type { SlotJudgement } from '../../../doses/judge.js';
import type { Alert } from '../../alert.js';
import {
  findSilenceUnseen,
  isUndecided,
  nextCheckAt,
  type OpenSilence,
  silencesOver,
  unlistedUnknown,
} from './silence-unseen.js';

const START = Date.parse('2026-03-02T08:00:00Z');
const at = (minutes: number): Date => new Date(START + minutes * MINUTE_MS);
const bottle = { _id: { toHexString: () => 'b1' }, user_id: 'u', medication: 'Cordrazine' };
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
  over?: object[];
  gap?: [number, number];
  settledUntil?: Date;
  now?: Date;
}

const unlisted = ({ over = [], gap, settledUntil = at(0), now = at(64) }: Known = {}) =>
  unlistedUnknown(
    [unknown],
    {
      settledUntil,
      attested: [],
      untaken: [],
      coverage: coverage(gap),
      longGap: 10 * MINUTE_MS,
      graceMs: 30 * MINUTE_MS,
      over: over as Alert[],
    },
    now,
  );

const silence = (...doses: Date[]) =>
  ({ kind: 'bottle_silent', evidence: { unconfirmed_doses: doses } }) as Alert;

describe('an unknown dose of which nobody was notified', () => {
  it.each<[string, Known, number]>([
    ['no silence of which people know named it', {}, 1],
    ['a silence of which people know named it', { over: [silence(at(0))] }, 0],
    ['a silence of which people know named another', { over: [silence(at(1))] }, 1],
    ['a gap of ours of 10 minutes touches it', { gap: [45, 55] }, 1],
    ['a longer gap of ours touches it', { gap: [44, 55] }, 0],
    ['it is late only when the grace after a longer gap is over', { gap: [-12, -1] }, 1],
    ['it is late by the end of the grace after a longer gap', { gap: [-11, 0] }, 0],
    ['it had its outcome before', { settledUntil: at(1) }, 0],
    ['it ended a day ago', { now: at(45 + 24 * 60) }, 1],
    ['it ended more than a day ago', { now: at(46 + 24 * 60) }, 0],
  ])('%s', (_, known, found) => expect(unlisted(known)).toHaveLength(found));

  it.each<[string, SlotJudgement, boolean]>([
    ['before the bottle is back', unknown, true],
    ['while a backlog may come', { ...back, next_look_at: at(64) }, true],
    ['afterwards', back, false],
  ])('is decided when a backlog had its grace: %s', (_, judged, undecided) =>
    expect(isUndecided(judged)).toBe(undecided),
  );

  it('is raised and ends at once', () =>
    expect(findSilenceUnseen(bottle, [back], at(64))).toMatchObject([
      {
        kind: 'missed_dose',
        evidence: { rule: 'silence_unseen', heard_at: at(62) },
        end: { owed: 'unknown' },
      },
    ]));
});

describe('an open silence', () => {
  const open = (alert: Alert, gets: boolean, more: Pick<Alert, 'clears_at'> = {}): OpenSilence => ({
    alert: { ...alert, ...more },
    state: { alerted_silence: 'lasting' },
    getsDose: () => gets,
  });

  it.each<[string, OpenSilence, number]>([
    ['gets the dose', open(silence(), true), 1],
    ['named it', open(silence(at(0)), false), 1],
    ['of a bottle that has left the plan', open(silence(at(1)), false), 0],
  ])('holds an unknown dose: %s', (_, one, found) => expect(silencesOver(back, [one])).toHaveLength(found));

  const lasting = open(silence(), true);
  const isBack = { ...lasting, state: { alerted_silence: 'over' as const } };
  it.each<[string, OpenSilence, Date | undefined]>([
    ['while it lasts', lasting, undefined],
    ['in a minute', isBack, at(65)],
    ['when its hold-down ends', open(silence(), true, { clears_at: at(90) }), at(91)],
    ['in a minute, if it has ended', open(silence(), true, { clears_at: at(63) }), at(65)],
  ])('is looked at again: %s', (_, one, next) => expect(nextCheckAt(one, at(64))).toEqual(next));
});
