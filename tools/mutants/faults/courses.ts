import type { Fault } from '../fault.js';

const SCHEDULE = 'libs/domain/src/doses/schedule.ts';
const DUE = 'libs/domain/src/doses/due.ts';
const COURSE = 'libs/domain/src/doses/course.ts';
const MOVE = 'libs/domain/src/doses/move.ts';
const PILLS = 'libs/domain/src/doses/pills.ts';

/** Plans as prescribed: amounts, days, and how they end. */
export const COURSES: readonly Fault[] = [
  {
    name: 'a move loses the last dose of a course that is over in the new zone',
    file: MOVE,
    find: "if (!next && slotsBetween(was, [], at, until).length > 0) return 'late';",
    replace: '',
    caughtBy: ['libs/domain/src/doses/move.spec.ts'],
  },
  {
    name: 'every time of day has the pills of the first',
    file: SCHEDULE,
    find: "typeof time === 'string' ? { at: time, pills: pills_per_dose } : time;",
    replace: "{ at: typeof time === 'string' ? time : time.at, pills: pills_per_dose };",
    caughtBy: ['amounts-by-time'],
  },
  {
    name: 'of the same time twice the last holds',
    file: SCHEDULE,
    find: '(amounts.get(at) ?? 0) + pills',
    replace: 'pills',
    caughtBy: ['same-time-twice-adds-up'],
  },
  {
    name: 'the last day of a course has no doses',
    file: DUE,
    find: 'Date.parse(until) / DAY_MS;',
    replace: 'Date.parse(until) / DAY_MS - 1;',
    caughtBy: ['course-until-its-last-day'],
  },
  {
    name: 'a course has one dose more',
    file: COURSE,
    find: 'return due[left - 1]!;',
    replace: 'return due[left] ?? due[left - 1]!;',
    caughtBy: ['course-of-so-many-doses'],
  },
  {
    name: 'what is as needed never ends',
    file: 'libs/domain/src/doses/as-needed.ts',
    find: 'at.getTime() < endOfCourse(version)',
    replace: 'endOfCourse(version) > 0',
    caughtBy: ['as-needed-in-halves'],
  },
  {
    name: 'a shorter month has no last day',
    file: DUE,
    find: '(isLast && each > date)',
    replace: '(isLast && each > 31)',
    caughtBy: ['last-day-of-a-shorter-month'],
  },
  {
    name: 'a message rounds halves of pills',
    file: PILLS,
    find: 'return `${whole}${fraction}`;',
    replace: 'return `${whole}`;',
    caughtBy: ['halves-of-a-pill'],
  },
  {
    name: 'who moves is asked for a dose again two hours after the last',
    file: MOVE,
    find: "if (since < LEAST_SHARE * gap) return 'early';",
    replace: '',
    caughtBy: ['moved-from-honolulu-to-auckland'],
  },
  {
    name: 'who moves loses the dose of the day',
    file: MOVE,
    find: "? 'late' : 'well';",
    replace: "? 'well' : 'well';",
    caughtBy: ['moved-before-the-dose-of-the-day'],
  },
  {
    name: 'a course begins again with a move',
    file: MOVE,
    find: 'const schedule = goingOn(version, at);',
    replace: 'const { schedule } = version;',
    caughtBy: ['moved-with-a-course'],
  },
  {
    name: 'a course that is over goes on after a move',
    file: MOVE,
    find: 'if (!schedule) return [];',
    replace: 'if (!schedule) return [{ ...version, effective_from: at, time_zone }];',
    caughtBy: ['course-that-is-over-stays-over'],
  },
  {
    name: 'a course that is over goes on until midnight when a step is removed',
    file: COURSE,
    find: 'timeZone).subtract({ days: 1 })',
    replace: 'timeZone)',
    caughtBy: ['course-that-is-over-stays-over'],
  },
];
