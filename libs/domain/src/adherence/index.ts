export { ADHERENCE_COUNTS, type AdherenceCount, adherenceCounts } from './adherence-counts.js';
export { adherence, wordedAdherence } from './adherence.js';
export type { Adherence, AdherenceInput, AttestedDose, WordedAdherence, WordedOutcome } from './adherence.js';
export type { DoseRecord, DrugHoliday, DrugHolidays, ExtraRecord } from './drug-holidays.js';
export { dosingDays } from './dosing-days.js';
export type {
  DayFigure,
  DosingDay,
  DosingDaysInput,
  DoseStatement,
  LeftOut,
  RemovedPills,
} from './dosing-days.js';
export type { Ratio } from './ratio.js';
export { commonDays, taxonomyFigures } from './taxonomy.js';
export type { DayBasis, Implementation, Persistence, TaxonomyFigures } from './taxonomy.js';
