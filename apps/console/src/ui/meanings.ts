import type { DoseStatus, Outcome, Status } from '../api/types.js';
import type { Meaning } from './Mark.js';

/** The statuses of bottles. `ok` says nothing of their doses, except that none is late now. */
export const STATUS: Record<Status, Meaning> = {
  ok: { label: 'Reporting', tone: 'ok', shape: 'check' },
  open: { label: 'Open', tone: 'open', shape: 'lid-off' },
  late: { label: 'Dose late', tone: 'late', shape: 'warning' },
  silent: { label: 'Silent', tone: 'silent', shape: 'slashed' },
  unknown: { label: 'Never connected', tone: 'unknown', shape: 'question' },
};

/** The outcomes of doses. */
export const OUTCOME: Record<Outcome, Meaning> = {
  taken_on_time: { label: 'Taken on time', tone: 'ok', shape: 'check' },
  taken_early: { label: 'Taken early', tone: 'ok', shape: 'check-ring' },
  taken_late: { label: 'Taken late', tone: 'open', shape: 'clock' },
  partial: { label: 'Partly taken', tone: 'open', shape: 'half' },
  missed: { label: 'Missed', tone: 'late', shape: 'cross' },
  unknown: { label: 'Unknown', tone: 'unknown', shape: 'question' },
};

/** How the doses of a day stand. */
export const DOSE_STATUS: Record<DoseStatus, Meaning> = {
  ...OUTCOME,
  upcoming: { label: 'Upcoming', tone: 'unknown', shape: 'ring' },
  due: { label: 'Due', tone: 'open', shape: 'clock-ring' },
  late: { label: 'Late', tone: 'late', shape: 'warning' },
  unknown: { ...OUTCOME.unknown, label: 'Cannot be known' },
};
