import type { Fault } from '../fault.js';

const ROW = 'libs/domain/src/alerts/kinds/doses-missed-in-a-row/missed-row.ts';
const FINDING = 'libs/domain/src/alerts/kinds/doses-missed-in-a-row/finding.ts';
const KIND = 'apps/notifier/src/alert-kinds/doses-missed-in-a-row/doses-missed-in-a-row.kind.ts';

/** Doses that were missed one after the other. */
export const MISSED_ROW: readonly Fault[] = [
  {
    name: 'a row that a period hid stays away when the period is removed',
    file: 'apps/notifier/src/alert-kinds/doses-missed-in-a-row/doses-missed-in-a-row.kind.ts',
    find: '{ undoneAt: state.schedule_changed_at }',
    replace: '{}',
    caughtBy: ['row-stands-again-without-its-period'],
  },
  {
    name: 'an unknown dose breaks a row of missed ones',
    file: ROW,
    find: "outcome !== 'unknown' && outcome !== 'not_monitored'",
    replace: "outcome !== 'not_monitored'",
    caughtBy: ['two-missed-one-unknown-one-missed'],
  },
  {
    name: 'a dose that was reported taken is one of a row',
    file: ROW,
    find: "outcome === 'missed' && !isSettled;",
    replace: "outcome === 'missed';",
    caughtBy: ['statement-breaks-a-row'],
  },
  {
    name: 'a row lasts when the next dose is taken',
    file: ROW,
    find: "(brokenAt && brokenAt > until) ? 'resolved' : undefined",
    replace: "(brokenAt && brokenAt > until && until < since) ? 'resolved' : undefined",
    caughtBy: ['three-missed-in-a-row'],
  },
  {
    name: 'a row that never was is over',
    file: ROW,
    find: "return 'retracted';",
    replace: "return 'resolved';",
    caughtBy: ['late-data-retracts-a-row'],
  },
  {
    name: 'a row is raised with one dose more',
    file: FINDING,
    find: 'count >= inARow;',
    replace: 'count > inARow;',
    caughtBy: ['three-missed-in-a-row'],
  },
  {
    name: 'rows are raised though they are off',
    file: FINDING,
    find: 'inARow > 0 && count',
    replace: 'count',
    caughtBy: ['no-row-when-it-is-off'],
  },
  {
    name: 'the doses before those that are judged belong to no row',
    file: KIND,
    find: 'if (isEarlier && !known.has(scheduled_at.getTime()))',
    replace: 'if (isEarlier && known.has(scheduled_at.getTime()))',
    caughtBy: ['three-missed-in-a-row'],
  },
  {
    name: 'a statement about a dose before those that are judged breaks no row',
    file: KIND,
    find: 'rowDoseOf(outcome, reports.get(scheduled_at.getTime()))',
    replace: 'rowDoseOf(outcome, undefined)',
    caughtBy: ['statement-of-the-day-before-breaks-a-row'],
  },
  {
    name: 'a row that stands again is the alert that ended',
    file: FINDING,
    find: 'cause: standsSince',
    replace: 'cause: until',
    caughtBy: ['statement-breaks-a-row'],
  },
  {
    name: 'a row does not stand again when pills of the dose that ended it were removed for later',
    file: ROW,
    find: 'isForLater ? report?.latest?.at : report?.unsettledAt',
    replace: 'report?.unsettledAt',
    caughtBy: ['row-stands-again'],
  },
  {
    name: 'a row does not stand again before the next dose is over',
    file: KIND,
    find: ' ?? doses.some(({ undoneAt }) => undoneAt)',
    replace: '',
    caughtBy: ['row-stands-again'],
  },
  {
    name: 'a row names its last dose for its first',
    file: FINDING,
    find: 'missed_since: since,\n',
    replace: 'missed_since: until,\n',
    caughtBy: ['three-missed-in-a-row'],
  },
  {
    name: 'a row that stands ends, because its doses are not read',
    file: KIND,
    find: 'if (alert && !earlier) return {};',
    replace: '',
    caughtBy: ['three-missed-in-a-row'],
  },
  {
    name: 'a row stands although nobody knows any more whether one of its doses was missed',
    file: KIND,
    find: "(outcome === 'unknown' || outcome === 'not_monitored') &&",
    replace: "outcome === 'not_monitored' &&",
    caughtBy: ['dose-of-a-row-cannot-be-confirmed'],
  },
];
