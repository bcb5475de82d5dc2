import type { Fault } from '../fault.js';

const CRONS = 'apps/notifier/src/schedule/crons.ts';

/** What the notifier does when, and the deadlines by which it knows that there is something to do. */
export const SCHEDULE: readonly Fault[] = [
  {
    name: 'a step that ends before the next one begins is saved without a warning',
    file: 'libs/domain/src/doses/schedule-warnings.ts',
    find: 'if (!from || !to || from >= to) return [];',
    replace: 'if (!from || !to || to >= from) return [];',
    caughtBy: ['libs/domain/src/doses/schedule-warnings.spec.ts'],
  },
  {
    name: 'a dose that was judged arms no further deadline',
    file: 'apps/notifier/src/doses/doses.check.ts',
    find: '...(dose_due_at && { dose_due_at }),',
    replace: '',
    caughtBy: ['late-dose-leaves-the-next-slot', 'spring-forward-berlin-missed'],
  },
  {
    name: 'silent bottles are looked for once an hour',
    file: 'apps/notifier/src/config.ts',
    find: "CHECK_SILENT_BOTTLES_CRON = '*/5 * * * *';",
    replace: "CHECK_SILENT_BOTTLES_CRON = '50 * * * *';",
    caughtBy: ['silence-escalates-and-ends'],
  },
  {
    name: 'coverage gaps are looked for once an hour',
    file: CRONS,
    find: "'coverage-gaps': EVERY_10_SECONDS,",
    replace: "'coverage-gaps': EVERY_HOUR,",
    caughtBy: ['coverage-gaps-notify-the-operator'],
  },
  {
    name: 'alerts escalate once an hour',
    file: CRONS,
    find: 'escalate: EVERY_SECOND,',
    replace: 'escalate: EVERY_HOUR,',
    caughtBy: ['escalates-until-acknowledged'],
  },
  {
    name: 'messages are sent once an hour',
    file: CRONS,
    find: 'deliver: EVERY_SECOND,',
    replace: 'deliver: EVERY_HOUR,',
    caughtBy: ['repeats-until-acknowledged'],
  },
];
