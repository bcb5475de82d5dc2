export { adherence, isTaken } from './adherence.js';
export type { Adherence, AdherenceInput, Ratio } from './adherence.js';
export type { DoseRecord, DrugHoliday, DrugHolidays, ExtraRecord } from './drug-holidays.js';
