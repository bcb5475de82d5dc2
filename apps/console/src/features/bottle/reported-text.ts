import type { Attestation, Reported, Statement } from '../../api/schema.js';
import type { Attestor, SkipReason } from '../../api/vocabulary.js';
import { dayAndTime } from '../../time/format.js';
import { t } from '../../i18n/i18n.js';
import { amountText, pluralOf } from '../../i18n/pills.js';

export const SKIP_REASONS: ReadonlyMap<SkipReason, string> = new Map([
  ['forgot', t('forgotten')],
  ['felt_better', t('felt better')],
  ['side_effect', t('a side effect')],
  ['ran_out', t('no pills left')],
  ['doctors_advice', t('on medical advice')],
  ['not_needed', t('not needed')],
  ['away', t('not at home')],
  ['other', t('another reason')],
]);

/** Labels of whose word it is. */
export const ATTESTOR_LABELS: Readonly<Record<Attestor, string>> = {
  user: t('Patient'),
  carer: t('Carer'),
  staff: t('Staff'),
};

const ATTESTORS = { user: t('the patient'), carer: t('the carer'), staff: t('staff') };

const AGREEMENTS: Record<Reported['agreement'], string> = {
  agrees: t('Matches the measurement'),
  disagrees: t('Differs from the measurement'),
  unproven: t('Not measured by the bottle'),
};

/** `Reported taken at 08:10 by the carer, 09:15; recorded by Carol Smith. Differs from the measurement.` */
export function reportedText(reported: Reported, present: number, zone: string): string {
  return `${statementText(reported, present, zone)}. ${AGREEMENTS[reported.agreement]}.`;
}

/** `Reported skipped (side effect) by the patient, 09:15; recorded by Carol Smith: called us` */
export function statementText(statement: Stated, present: number, zone: string): string {
  const time = (instant: string): string => dayAndTime(Date.parse(instant), zone, present);
  return attributed(
    t('Reported {{what}} by {{who}}, {{time}}', {
      what: whatText(statement, time),
      who: attestorOf(statement),
      time: time(statement.at),
    }),
    statement,
  );
}

/** `Withdrawn by the carer, 09:20; recorded by Carol Smith` */
export function withdrawalText(
  withdrawal: Pick<Statement, 'at' | 'attested_by' | 'recorded_by' | 'note'>,
  present: number,
  zone: string,
): string {
  return attributed(
    t('Withdrawn by {{who}}, {{time}}', {
      who: attestorOf(withdrawal),
      time: dayAndTime(Date.parse(withdrawal.at), zone, present),
    }),
    withdrawal,
  );
}

/** Whose word it is: `the patient`, or the name of a member of staff. */
export const attestorOf = ({
  attested_by,
  recorded_by,
}: Pick<Statement, 'attested_by' | 'recorded_by'>): string =>
  attested_by === 'staff' ? staffName(recorded_by) : ATTESTORS[attested_by];

/** With who recorded it, if that is somebody else, and the note. */
function attributed(
  text: string,
  { attested_by, recorded_by, note }: Pick<Statement, 'attested_by' | 'recorded_by' | 'note'>,
): string {
  const recorder = recorderOf({ recorded_by });
  const isOwn = attested_by === 'staff' || recorder === undefined;
  const recorded = isOwn ? text : `${text}; ${t('recorded by {{name}}', { name: recorder })}`;
  return note === null ? recorded : `${recorded}: ${note}`;
}

/** Who of the staff wrote it down; undefined if people reported it themselves, behind a message's link. */
export function recorderOf({ recorded_by }: Pick<Statement, 'recorded_by'>): string | undefined {
  return /^(user|carer(\.[^:]+)?):/.test(recorded_by) ? undefined : staffName(recorded_by);
}

/**
 * Who did something, as the API records it: the link of a message records its recipient.
 *
 * @param name of a person, if the contact has one
 */
export function actorName(by: string, name?: string | null): string {
  if (name) return staffName(name);
  if (by.startsWith('user:')) return ATTESTORS.user;
  const [, carer] = /^carer(?:\.([^:]+))?:/.exec(by) ?? [];
  if (carer !== undefined) return t('the carer {{name}}', { name: carer });
  return by.startsWith('carer:') ? ATTESTORS.carer : staffName(by);
}

/** Whose word it is, where the API writes it out: `the carer`, `the patient (recorded by Carol Smith)`. */
export function attestorName(by: string): string {
  const [, role, recorder] = /^the (patient|carer)(?: \(recorded by (.+)\))?$/.exec(by) ?? [];
  if (role === undefined) return staffName(by);
  const who = role === 'patient' ? ATTESTORS.user : ATTESTORS.carer;
  return recorder === undefined
    ? who
    : t('{{who}} (recorded by {{name}})', { who, name: staffName(recorder) });
}

/** The first admin has no account, and so the name of a setting. */
function staffName(name: string): string {
  return name === 'ADMIN_TOKEN' ? t('the first administrator') : name;
}

/** A statement about a dose; without an outcome, one about pills that were no dose. */
export type Stated = Pick<Attestation, keyof Statement>;

/** What a statement says. */
type What = Pick<Stated, 'outcome' | 'taken_at' | 'pills' | 'source' | 'reason'>;

/** `taken from elsewhere at 08:10`, `skipped (a side effect)` */
export function whatText(
  { outcome, taken_at, pills, source, reason }: What,
  time: (at: string) => string,
): string {
  switch (outcome) {
    case 'skipped':
      return t('skipped ({{reason}})', {
        reason: reason === null ? t('no reason') : SKIP_REASONS.get(reason),
      });
    case 'not_taken':
      return t('not taken (removed for later)');
    case null:
      return t('no dose ({{pills}} pills)', { count: pluralOf(pills ?? 0), pills: amountText(pills ?? 0) });
    default: {
      const what = takenText({ outcome, pills, source });
      return taken_at === null ? what : t('{{what}} at {{time}}', { what, time: time(taken_at) });
    }
  }
}

function takenText({ outcome, pills, source }: Pick<Stated, 'outcome' | 'pills' | 'source'>): string {
  const isElsewhere = source === 'elsewhere';
  if (outcome !== 'partial') return isElsewhere ? t('taken from elsewhere') : t('taken');
  const [count, amount] = [pluralOf(pills ?? 0), amountText(pills ?? 0)];
  return isElsewhere
    ? t('partly taken ({{pills}} pills) from elsewhere', { count, pills: amount })
    : t('partly taken ({{pills}} pills)', { count, pills: amount });
}
