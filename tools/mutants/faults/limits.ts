import type { Fault } from '../fault.js';

const RECOVERY = 'apps/notifier/src/delivery/recovery.ts';
const COVERAGE = 'apps/notifier/src/alert-kinds/coverage-gap/coverage-gaps.ts';
const QUEUE = 'libs/platform/src/group-commit/group-commit.ts';

/** Bounds of time, rate and fairness. */
export const LIMITS: readonly Fault[] = [
  {
    name: "a machine's clock that is off by exactly 5 s is reported",
    file: 'libs/platform/src/database-time/clock-sync.ts',
    find: 'Math.abs(this.offset) > TOLERATED_MS',
    replace: 'Math.abs(this.offset) >= TOLERATED_MS',
    caughtBy: ['libs/platform/src/database-time/clock-sync.spec.ts'],
  },
  {
    name: 'a confirmed incident is sent without its minute for second thoughts',
    file: 'libs/domain/src/alerts/kinds/fleet-incident/incident.ts',
    find: "outcome === 'confirmed' && incident.decision!.takes_effect_at <= now ?",
    replace: "outcome === 'confirmed' && incident.decision ?",
    caughtBy: ['libs/domain/src/alerts/kinds/fleet-incident/incident.spec.ts'],
  },
  {
    name: 'a page is brought forward on top of the one before',
    file: RECOVERY,
    find: 'if (this.isSpreading(channel, now)) return;',
    replace: '',
    caughtBy: [
      'test/notifier/recovery.cases.ts: what waits for a receiver is brought forward at the limited rate also when it is more than a page',
    ],
  },
  {
    name: 'the connection of a mail server that does not come to an end stays open',
    file: 'apps/notifier/src/delivery/channels/email/email.channel.ts',
    find: 'session.close();',
    replace: '',
    caughtBy: [
      'test/notifier/mail-server.cases.ts: one that answers without end is left when the time is over: its connection is closed',
    ],
  },
  {
    name: 'a count of doses that was cut short is reported',
    file: COVERAGE,
    find: 'if (stopping()) return;',
    replace: '',
    caughtBy: [
      'test/notifier/coverage-gap.cases.ts: a count of doses that was cut short reports nothing; the next one reports all',
    ],
  },
  {
    name: 'one caller takes a whole group while others wait',
    file: QUEUE,
    find: 'this.queues.size > 1 ? Math.ceil(group / TURNS) : group',
    replace: 'this.queues.size > 1 ? group : group',
    caughtBy: ['libs/platform/src/group-commit/group-commit.spec.ts'],
  },
  {
    name: 'the doses of a coverage gap are sent while others are still being found',
    file: 'libs/domain/src/notifications/gathering.ts',
    find: 'const next_attempt_at = gap.settled_at ? gatheredAt(gap.settled_at) : nextFullMinute(now);',
    replace: 'const next_attempt_at = gap.settled_at ? nextFullMinute(gap.settled_at) : now;',
    caughtBy: [
      'test/notifier/coverage-gap.cases.ts: is one message to a contact, however long it takes to find its doses',
    ],
  },
];
