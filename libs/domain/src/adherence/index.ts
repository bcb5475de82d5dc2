export { adherence, isTaken } from './adherence.js';
export type {
  Adherence,
  AdherenceInput,
  DoseRecord,
  DrugHoliday,
  DrugHolidays,
  ExtraRecord,
  Ratio,
} from './types.js';
