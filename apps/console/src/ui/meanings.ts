import type { Statement } from '../api/schema.js';
import type { DoseStatus, Outcome, Status } from '../api/vocabulary.js';
import type { Meaning } from './Mark.js';
import { t } from '../i18n/i18n.js';

/** The statuses of bottles. `ok` says nothing of their doses, except that none is late now. */
export const STATUS: Record<Status, Meaning> = {
  ok: { label: t('Reporting'), tone: 'ok', shape: 'check' },
  open: { label: t('Open'), tone: 'open', shape: 'lid-off' },
  late: { label: t('Dose late'), tone: 'late', shape: 'warning' },
  silent: { label: t('Silent'), tone: 'silent', shape: 'slashed' },
  unknown: { label: t('Never connected'), tone: 'unknown', shape: 'question' },
};

/** The outcomes of doses. */
export const OUTCOME: Record<Outcome, Meaning> = {
  taken_on_time: { label: t('Taken on time'), tone: 'ok', shape: 'check' },
  taken_early: { label: t('Taken early'), tone: 'ok', shape: 'check-ring' },
  taken_late: { label: t('Taken late'), tone: 'open', shape: 'clock' },
  partial: { label: t('Partly taken'), tone: 'open', shape: 'half' },
  missed: { label: t('Missed'), tone: 'late', shape: 'cross' },
  unknown: { label: t('Cannot be known'), tone: 'unknown', shape: 'question' },
  not_monitored: { label: t('Not monitored'), tone: 'silent', shape: 'slashed' },
};

/** What people report of doses, and what counts of doses in the figures with reports. */
export const REPORTED: Record<Outcome | Statement['outcome'], Meaning> = {
  ...OUTCOME,
  taken: { label: t('Taken, time unknown'), tone: 'ok', shape: 'tick' },
  skipped: { label: t('Skipped'), tone: 'unknown', shape: 'skip' },
  not_taken: { label: t('Not taken'), tone: 'late', shape: 'minus' },
};

/** Outcomes, as measured and as people report them, in the middle of a sentence. */
const OUTCOMES_IN_TEXT: Record<string, string> = {
  taken_on_time: t('taken on time'),
  taken_early: t('taken early'),
  taken_late: t('taken late'),
  taken: t('taken'),
  partial: t('partly taken'),
  missed: t('missed'),
  unknown: t('cannot be known'),
  not_monitored: t('not monitored'),
  skipped: t('skipped'),
  not_taken: t('not taken'),
};

/** An outcome in the middle of a sentence: `taken on time`. */
export function outcomeText(outcome: string): string {
  return OUTCOMES_IN_TEXT[outcome] ?? outcome.replaceAll('_', ' ');
}

/** How the doses of a day stand. */
export const DOSE_STATUS: Record<DoseStatus, Meaning> = {
  ...OUTCOME,
  upcoming: { label: t('Upcoming'), tone: 'unknown', shape: 'ring' },
  due: { label: t('Due'), tone: 'open', shape: 'clock-ring' },
  late: { label: t('Late'), tone: 'late', shape: 'warning' },
};
