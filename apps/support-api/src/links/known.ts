import {
  type Alert,
  amountText,
  asksForDose,
  type Attestation,
  isFirstAdmin,
  isTaken,
  type MissedDoseEvidence,
  personIn,
} from '#domain';
import type { BottleState, Contact } from '#persistence';
import { actorName } from './acted.js';
import type { Reader } from './reader.js';

/** What is known of what a message is about, and what is not. @param state null when the bottle is being erased */
export function knownOf(
  alert: Alert,
  state: Pick<BottleState, 'last_heard_at'> | null,
  reader: Reader,
): string[] {
  if (!asksForDose(alert)) return [];
  const { last_heard_at: at } = state ?? {};
  const last = at ? reader.say('last_report', { time: reader.time(at) }) : reader.say('no_report');
  return [...reported(alert, reader), last, reader.say('elsewhere_unknown')];
}

function reported(alert: Alert, reader: Reader): string[] {
  if (alert.kind === 'missed_dose') return ofDose(alert.evidence, reader);
  if (alert.kind === 'dose_reminder') {
    const { outcome } = alert.evidence;
    return outcome && isTaken(outcome) ? [reader.say('all_removed')] : removedOf(alert.evidence, reader);
  }
  if (alert.kind !== 'coverage_gap' || alert.evidence.rule !== 'coverage_grace') return [];
  const { from, until, pills_taken, ...evidence } = alert.evidence;
  return [
    reader.say('we_were_down', { from: reader.time(from), until: reader.time(until) }),
    ...(pills_taken ? removedOf({ ...evidence, pills_taken }, reader) : []),
  ];
}

type RemovedEvidence = Pick<
  MissedDoseEvidence,
  'pills_taken' | 'pills_scheduled' | 'part_taken_at' | 'taken_at'
>;

/** What was removed of a dose, a part or all of it. */
function removedOf(
  { pills_taken: taken, pills_scheduled: all, taken_at, part_taken_at: last = taken_at }: RemovedEvidence,
  reader: Reader,
): string[] {
  const removed = (time: Date): string =>
    reader.say('part_removed', { taken: amountText(taken), all: amountText(all), time: reader.time(time) });
  return [
    ...(last ? [removed(last)] : []),
    // pills that were removed for later, by somebody's word, were removed
    ...(taken > 0 ? [] : [reader.say('nothing_removed')]),
  ];
}

function ofDose(evidence: MissedDoseEvidence, reader: Reader): string[] {
  const { outcome } = evidence;
  const since = outcome === undefined ? evidence.open_since : evidence.open_at_end_since;
  const { unreported_pills: pills, unreported_from: from, unreported_until: until } = evidence;
  const { unclear_closing: unclear } = evidence;
  const isLost = pills !== undefined && from && until;
  return [
    ...removedOf(evidence, reader),
    ...(since ? [reader.say('open_since', { time: reader.time(since) })] : []),
    ...(isLost
      ? [
          reader.say('count_fell', {
            pills: amountText(pills),
            from: reader.time(from),
            until: reader.time(until),
          }),
        ]
      : []),
    ...(unclear
      ? [reader.say(unclear.why === 'filled' ? 'was_filled' : 'not_said', { time: reader.time(unclear.at) })]
      : []),
    ...(outcome === 'unknown' && !isLost && !unclear
      ? [reader.say(evidence.period ? 'plan_not_monitored' : 'not_connected')]
      : []),
  ];
}

/** `Anna reported on Sunday 1 March, 13:00 CET that it was taken on Sunday 1 March, 12:10 CET.` */
export function statedText(
  { outcome, taken_at, reason, at, attested_by, recorded_by }: Attestation,
  reader: Reader,
  contact: Contact | undefined,
): string {
  const who =
    attested_by === 'staff' || personIn(recorded_by) !== undefined
      ? actorName(recorded_by, at, contact, reader)
      : reader.say(attested_by === 'user' ? 'recorded_for_patient' : 'recorded_for_carer', {
          by: isFirstAdmin(recorded_by)
            ? reader.say('recorded_by_staff')
            : reader.say('recorded_by', { name: recorded_by }),
        });
  const values = { who, at: reader.time(at) };
  switch (outcome) {
    case 'skipped':
      return reader.say('reported_skipped', { ...values, reason: reader.say(`skip_${reason ?? 'other'}`) });
    case 'not_taken':
      return reader.say('reported_not_taken', values);
    case 'partial':
      return reader.say('reported_partial', values);
    default:
      return taken_at
        ? reader.say('reported_taken_at', { ...values, time: reader.time(taken_at) })
        : reader.say('reported_taken', values);
  }
}
