import { ScheduleError } from '#domain';
import { Problem } from '#platform';

/** Reads by the rules of the domain. @throws Problem 400 `invalid_schedule` naming the field, for a ScheduleError */
export function readBy<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ScheduleError) throw Problem.field(error.field, error.code, error.message);
    throw error;
  }
}
