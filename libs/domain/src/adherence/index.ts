export { ADHERENCE_COUNTS, type AdherenceCount, adherenceCounts } from './adherence-counts.js';
export { adherence, wordedAdherence } from './adherence.js';
export type {
  Adherence,
  AdherenceInput,
  AttestedDose,
  Ratio,
  WordedAdherence,
  WordedOutcome,
} from './adherence.js';
export type { DoseRecord, DrugHoliday, DrugHolidays, ExtraRecord } from './drug-holidays.js';
