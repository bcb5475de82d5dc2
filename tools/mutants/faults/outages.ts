import type { Fault } from '../fault.js';

const COVERAGE = 'libs/domain/src/coverage/coverage.ts';
const RECORDED = 'libs/domain/src/coverage/recorded-coverage.ts';
const SILENT = 'apps/notifier/src/alert-kinds/bottle-silent/silent-bottles.check.ts';
const INCIDENT = 'libs/domain/src/alert-kinds/incident.ts';
const REPORTS = 'libs/domain/src/bottle-state/on-reports.ts';

/** Our own outages, restarts, frozen processes and wrong clocks, and who watches us. */
export const OUTAGES: readonly Fault[] = [
  {
    name: 'an outage of ours counts as silence',
    file: SILENT,
    find: 'const listened = coverage.since(since);',
    replace: 'const listened = this.clock.now().getTime() - since.getTime();',
    caughtBy: ['outage-of-ours-is-not-silence'],
  },
  {
    name: 'a bottle is silent a moment after the time allowed, not at it',
    file: SILENT,
    find: 'if (listened < this.silentAfter) {',
    replace: 'if (listened <= this.silentAfter) {',
    caughtBy: ['heartbeat-just-after-the-check'],
  },
  {
    name: 'a process that was frozen extends its span',
    file: COVERAGE,
    find: 'return since >= 0 && since <= BEATS_APART * intervalMs;',
    replace: 'return since >= 0;',
    caughtBy: ['libs/domain/src/coverage/coverage.spec.ts'],
  },
  {
    name: 'a beat exactly two intervals after the last begins another span',
    file: COVERAGE,
    find: 'return since >= 0 && since <= BEATS_APART * intervalMs;',
    replace: 'return since >= 0 && since < BEATS_APART * intervalMs;',
    caughtBy: ['libs/domain/src/coverage/coverage.spec.ts'],
  },
  {
    name: 'a check judges deadlines beyond what was listened',
    file: RECORDED,
    find: 'this.dueBy = new Date(Math.min(now.getTime(), lastBeat + 2 * intervalMs));',
    replace: 'this.dueBy = now;',
    caughtBy: ['libs/domain/src/coverage/recorded-coverage.spec.ts'],
  },
  {
    name: 'each short outage begins the grace of an open lid again',
    file: RECORDED,
    find: 'gap.from < due.getTime() || gap.until - gap.from >= graceMs',
    replace: 'gap.from < this.until.getTime()',
    caughtBy: ['short-outages-of-ours-do-not-hide-an-open-lid'],
  },
  {
    name: 'no grace for a closing that our outage delayed',
    file: RECORDED,
    find: 'return last ? Math.max(0,',
    replace: 'return last ? Math.min(0,',
    caughtBy: ['outage-of-ours-is-not-an-open-lid'],
  },
  {
    name: 'the deadline of an open lid is not stored',
    file: REPORTS,
    find: 'set: { last_action, open: true, open_overdue_at: openOverdueAt(action, thresholds) },',
    replace: 'set: { last_action, open: true },',
    caughtBy: ['open-timer-survives-a-kill'],
  },
  {
    name: 'an opening that was reported late waits for the whole grace',
    file: REPORTS,
    find: 'received + Math.min(late, backlogGrace)',
    replace: 'received + backlogGrace',
    caughtBy: [
      'test/notifier/open.cases.ts: raises it after as long as its report was late, not after the whole grace',
    ],
  },
  {
    name: 'the end of a silence is seen only within an hour of it',
    file: 'libs/persistence/src/bottle-states/deadlines.repository.ts',
    find: 'silent_at: { $gt: new Date(0) },',
    replace: 'silent_at: { $gt: now },',
    caughtBy: ['one-report-between-two-silences'],
  },
  {
    name: 'a fleet incident holds nothing back before it is decided',
    file: INCIDENT,
    find: "outcome === 'confirmed' && incident.decision!.takes_effect_at <= now ?",
    replace: "outcome !== 'dismissed' ?",
    caughtBy: ['fleet-incident-holds-the-messages'],
  },
  {
    name: 'a decision about a fleet incident can be withdrawn a moment longer',
    file: INCIDENT,
    find: 'incident.decision!.takes_effect_at <= now ?',
    replace: 'incident.decision!.takes_effect_at < now ?',
    caughtBy: ['libs/domain/src/alert-kinds/incident.spec.ts'],
  },
  {
    name: 'acknowledging a fleet incident confirms it',
    file: 'libs/persistence/src/alerts/alerts.repository.ts',
    find: "await this.changeActive(id, { state: 'open' }, event, ACKNOWLEDGED)",
    replace: `await this.changeActive(id, { state: 'open' }, event, {
        ...ACKNOWLEDGED,
        $set: { ...ACKNOWLEDGED.$set, decision: { outcome: 'confirmed', by: '', takes_effect_at: action.at } },
      })`,
    caughtBy: [
      'test/flows/fleet-incident.cases.ts: releases the notifications when staff confirm it, and not when they acknowledge or close it',
    ],
  },
  {
    name: 'the time is that of the machine',
    file: 'libs/platform/src/clock.ts',
    find: 'return new Date(this.origin === undefined ? Date.now() : this.origin + performance.now());',
    replace: 'return new Date();',
    caughtBy: ['libs/platform/src/clock.spec.ts'],
  },
  {
    name: 'a job that does not get on is never abandoned',
    file: 'apps/notifier/src/schedule/job.ts',
    find: 'if (run.idle * WATCH_MS < this.idleLimitMs) return;',
    replace: 'if (run.idle * WATCH_MS >= 0) return;',
    caughtBy: ['apps/notifier/src/schedule/job.spec.ts'],
  },
  {
    name: 'a run that was abandoned continues',
    file: 'apps/notifier/src/schedule/job.ts',
    find: 'return this.isStopping || run.isAbandoned;',
    replace: 'return this.isStopping;',
    caughtBy: ['apps/notifier/src/schedule/job.spec.ts'],
  },
  {
    name: 'an attempt that took too long keeps its connection',
    file: 'apps/notifier/src/delivery/attempt-limit.ts',
    find: "controller.abort(new DeliveryError('no answer in time'))",
    replace: "signal.dispatchEvent(new Event('abort'))",
    caughtBy: ['apps/notifier/src/delivery/attempt-limit.spec.ts'],
  },
  {
    name: 'a long gap of ours is reported to nobody',
    file: 'libs/domain/src/coverage/long-gaps.ts',
    find: 'until - from > longerThanMs',
    replace: 'until - from > 100 * longerThanMs',
    caughtBy: ['coverage-gaps-reach-the-operator'],
  },
  {
    name: 'the end of a gap that is over when it is found is not sent',
    file: 'apps/notifier/src/delivery/recheck.ts',
    find: "if (event === 'resolved' && alertKindFacts(kind).endStandsAlone) return undefined;",
    replace: '',
    caughtBy: ['coverage-gaps-reach-the-operator'],
  },
  {
    name: 'a bottle that is back after our gap has unconfirmed doses',
    file: 'libs/domain/src/doses/unconfirmed.ts',
    find: '(outcome === undefined && lastSeen < until)',
    replace: 'outcome === undefined',
    caughtBy: ['coverage-gap-leaves-doses-unconfirmed'],
  },
  {
    name: 'a bottle that was silent before our gap has unconfirmed doses',
    file: 'libs/domain/src/doses/unconfirmed.ts',
    find: 'if (wasSilent || !lastSeen) return [];',
    replace: 'if (!lastSeen) return [];',
    caughtBy: ['coverage-gap-leaves-doses-unconfirmed'],
  },
  {
    name: 'a dose that a gap left unconfirmed is sent as unknown besides',
    file: 'apps/notifier/src/delivery/recheck.ts',
    find: "(ALERTING_EVENTS.includes(other.event) || other.event === 'unconfirmed')",
    replace: 'ALERTING_EVENTS.includes(other.event)',
    caughtBy: ['coverage-gap-of-everything-for-five-hours'],
  },
  {
    name: 'a cycle of the watchdog succeeds although its mails did not come',
    file: 'apps/watchdog/src/watchdog.service.ts',
    find: 'OPEN_BOTTLE_AFTER, WATCHDOG_SMTP_PORT !== undefined)',
    replace: 'OPEN_BOTTLE_AFTER, false)',
    caughtBy: ['test/notifier/watchdog-mail.cases.ts: fails at the mail leg while'],
  },
  {
    name: 'a cycle of the watchdog does not wait for its last mail',
    file: 'apps/watchdog/src/cycle.ts',
    find: "this.isDone(leg) || (!this.hasMail && leg.endsWith('_mailed'))",
    replace: "this.isDone(leg) || leg.endsWith('_mailed')",
    caughtBy: ['apps/watchdog/src/cycle.spec.ts: is complete when every mail has come, too'],
  },
  {
    name: 'the watchdog takes mails to anybody',
    file: 'apps/watchdog/src/mail-receiver.ts',
    find: 'answer(this.isOwn(address) ? null : noMailbox())',
    replace: 'answer(null)',
    caughtBy: ['test/notifier/watchdog-mail.cases.ts: takes mails to its canary only, at any domain'],
  },
];
