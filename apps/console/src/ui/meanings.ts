import type { Outcome, Status } from '../api/types.js';
import type { Meaning } from './Mark.js';

/** The statuses of bottles. */
export const STATUS: Record<Status, Meaning> = {
  ok: { word: 'OK', tone: 'ok', shape: 'check' },
  open: { word: 'Open', tone: 'open', shape: 'lid-off' },
  late: { word: 'Dose late', tone: 'late', shape: 'warning' },
  silent: { word: 'Silent', tone: 'silent', shape: 'slashed' },
  unknown: { word: 'Never connected', tone: 'unknown', shape: 'question' },
};

/** The outcomes of doses. */
export const OUTCOME: Record<Outcome, Meaning> = {
  taken_on_time: { word: 'Taken on time', tone: 'ok', shape: 'check' },
  taken_early: { word: 'Taken early', tone: 'ok', shape: 'check-ring' },
  taken_late: { word: 'Taken late', tone: 'open', shape: 'clock' },
  partial: { word: 'Partly taken', tone: 'open', shape: 'half' },
  missed: { word: 'Missed', tone: 'late', shape: 'cross' },
  unknown: { word: 'Unknown', tone: 'unknown', shape: 'question' },
};
