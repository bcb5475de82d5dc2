export { ADHERENCE_COUNTS, type AdherenceCount, adherenceCounts } from './adherence-counts.js';
export { adherence, commonFigures, withStatements, wordedAdherence } from './adherence.js';
export type {
  Adherence,
  AdherenceInput,
  AttestedDose,
  CommonFigures,
  WordedAdherence,
  WordedOutcome,
} from './adherence.js';
export type { DoseRecord, DrugHoliday, DrugHolidays, ExtraRecord } from './drug-holidays.js';
export { dosingDays, LEFT_OUT } from './dosing-days.js';
export type {
  DayFigure,
  DosingDay,
  DosingDaysInput,
  DoseStatement,
  LeftOut,
  RemovedPills,
} from './dosing-days.js';
export type { Ratio } from './ratio.js';
export { commonDays, initiationOf, taxonomyFigures } from './taxonomy.js';
export type { DayBasis, Implementation, Initiation, Persistence, TaxonomyFigures } from './taxonomy.js';
