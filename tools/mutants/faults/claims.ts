import type { Fault } from '../fault.js';

const DEADLINES = 'libs/persistence/src/bottle-states/deadlines.repository.ts';
const OUTBOX = 'libs/persistence/src/deliveries/outbox.repository.ts';
const MAY_BE_SENT = 'libs/domain/src/notifications/may-be-sent.ts';

/** Two workers, crashes and retries. */
export const CLAIMS: readonly Fault[] = [
  {
    name: 'a lease is ignored: two notifiers take the same bottles',
    file: DEADLINES,
    find: 'const free = { ...filter, $or: unclaimed(claimField, now) };',
    replace: 'const free = { ...filter };',
    caughtBy: ['test/notifier/claims.cases.ts: overdue bottles are claimed by one notifier each'],
  },
  {
    name: 'the claim of a killed notifier never ends',
    file: 'libs/persistence/src/database/claim.ts',
    find: 'return [{ [field]: { $exists: false } }, { [`${field}.until`]: { $lte: now } }];',
    replace: 'return [{ [field]: { $exists: false } }];',
    caughtBy: [
      'test/notifier/delivery.cases.ts: a notifier that was killed while sending: another sends it after the lease, under the same id',
    ],
  },
  {
    name: 'a notifier that lost its lease releases the bottle all the same',
    file: DEADLINES,
    find: 'const ours = { [`${claimField}.token`]: claim.token };',
    replace: 'const ours = {};',
    caughtBy: ['test/notifier/claims.cases.ts: a release after the lease was lost changes nothing'],
  },
  {
    name: 'a release forgets what was reported meanwhile',
    file: DEADLINES,
    find: 'filter: { _id: id, ...ours, ...whereStill(seen) },',
    replace: 'filter: { _id: id, ...ours },',
    caughtBy: ['test/notifier/open.cases.ts: a closing that races the check leaves no alarm behind'],
  },
  {
    name: 'a repeated check raises a second alert for the same cause',
    file: 'libs/domain/src/alerts/findings.ts',
    find: "derivedId('alert', bottle._id.toHexString(), kind, cause.toISOString())",
    replace: "derivedId('alert', bottle._id.toHexString(), kind, cause.toISOString(), String(Math.random()))",
    caughtBy: ['closed-by-staff', 'killed-again-and-again'],
  },
  {
    name: 'two alerts of one kind can be open at once',
    file: 'libs/persistence/src/alerts/alert.schema.ts',
    find: "{ name: 'one_open', unique: true,",
    replace: "{ name: 'one_open',",
    caughtBy: ['test/notifier/open.cases.ts: two alerts of the kind never stand at once'],
  },
  {
    name: 'an alert is recorded without the notifications that it owes',
    file: 'libs/persistence/src/alerts/alerts.repository.ts',
    find: 'await this.alerts.collection.insertMany(alerts, { session });',
    replace: 'await this.alerts.collection.insertMany(alerts);',
    caughtBy: ['test/notifier/open.cases.ts: two alerts of the kind never stand at once'],
  },
  {
    name: 'an alert that has ended is announced',
    file: MAY_BE_SENT,
    find: "if (!alert.open) return { kind: 'cancelled',",
    replace: "if (alert.open === undefined && !alert.state) return { kind: 'cancelled',",
    caughtBy: ['down-and-up-before-it-was-sent'],
  },
  {
    name: 'an acknowledged alert is escalated',
    file: MAY_BE_SENT,
    find: "if (delivery.event === 'escalated' && alert.state === 'acknowledged') {",
    replace: "if (delivery.event === 'raised' && alert.state === 'acknowledged') {",
    caughtBy: ['acknowledged-in-quiet-hours'],
  },
  {
    name: 'what a notifier found whose lease ran out before it raised it is on record as raised',
    file: 'apps/notifier/src/alerts/check.ts',
    find: 'error instanceof LeaseLostError && record',
    replace: 'error instanceof LeaseLostError',
    caughtBy: [
      'test/notifier/killed.cases.ts: a lid that is left open is found again',
      'test/notifier/killed.cases.ts: a low battery is found again',
    ],
  },
  {
    name: 'a message whose notifier was killed is never sent again',
    file: OUTBOX,
    find: '            $set: { next_attempt_at },\n',
    replace: "            $unset: { next_attempt_at: '' },\n",
    caughtBy: [
      'test/notifier/delivery.cases.ts: a notifier that is killed in each attempt: they follow the backoff, and the tenth is the last',
    ],
  },
  {
    name: 'an attempt that ends without an answer is not spent',
    file: OUTBOX,
    find: `$push: {
              attempts: {
                at,
                ok: false,
                error: NO_RESULT,
                ...(address !== undefined && { address }),
                ...(early && { early }),
                ...(doses && { doses: [...doses] }),
              } satisfies Attempt,
            },`,
    replace: '',
    caughtBy: [
      'test/notifier/delivery.cases.ts: a notifier that is killed in each attempt: they follow the backoff, and the tenth is the last',
    ],
  },
  {
    name: 'each attempt has an id of its own',
    file: 'apps/notifier/src/delivery/channels/webhook/webhook.channel.ts',
    find: 'const posted = { id: delivery._id, body, signers: this.signers, traceparent, signal };',
    replace:
      'const posted = { id: `${delivery._id}${delivery.attempts.length}`, body, signers: this.signers, traceparent, signal };',
    caughtBy: ['webhook-timed-out-but-arrived'],
  },
  {
    name: 'a failed attempt is repeated at once',
    file: 'libs/domain/src/notifications/backoff.ts',
    find: 'Math.round(wait * (1 - JITTER',
    replace: 'Math.round(0 * wait * (1 - JITTER',
    caughtBy: ['receiver-down-for-a-day'],
  },
  {
    name: 'a corrected address waits for the backoff of the one before',
    file: 'libs/domain/src/notifications/backoff.ts',
    find: 'const attempts = atLastAddress([...before, attempt]);',
    replace: 'const attempts = [...before, attempt];',
    caughtBy: ['address-corrected-while-the-server-fails'],
  },
  {
    name: 'attempts at the address before are counted in the ten',
    file: 'libs/domain/src/notifications/backoff.ts',
    find: 'regularAttempts(atLastAddress(attempts)) <',
    replace: 'regularAttempts(attempts) <',
    caughtBy: ['address-corrected-while-the-server-fails'],
  },
  {
    name: 'a message gets nine attempts',
    file: 'libs/domain/src/notifications/backoff.ts',
    find: 'WAITS[failedAttempts - 1]',
    replace: 'WAITS[failedAttempts]',
    caughtBy: ['libs/domain/src/notifications/backoff.spec.ts'],
  },
  {
    name: 'a refused connection counts as one that may have arrived',
    file: 'libs/domain/src/notifications/delivery.ts',
    find: '!ok && status === undefined && !unsent',
    replace: '!ok && status === undefined',
    caughtBy: ['libs/domain/src/notifications/delivery.spec.ts'],
  },
  {
    name: 'the end overtakes the beginning',
    file: MAY_BE_SENT,
    find: 'outOfTurn(delivery, alert, ofAlert, now) ??',
    replace: '',
    caughtBy: ['libs/domain/src/notifications/may-be-sent.spec.ts'],
  },
  {
    name: 'a message is sent though the lease ends before the answer may come',
    file: 'apps/notifier/src/delivery/sender.ts',
    find: 'claim.until.getTime() - this.clock.now().getTime() < channel.timeLimitMs',
    replace: 'claim.until.getTime() - this.clock.now().getTime() < -channel.timeLimitMs',
    caughtBy: [
      'test/notifier/delivery.cases.ts: a notifier that hung until its lease was nearly over does not send what it had begun',
    ],
  },
  {
    name: 'what waits for a receiver that answers again waits for its backoff',
    file: 'apps/notifier/src/delivery/recovery.ts',
    find: 'if (this.answered.delete(channel)) {',
    replace: 'if (this.answered.delete(channel) && now.getTime() < 0) {',
    caughtBy: [
      'test/notifier/recovery.cases.ts: a receiver that was down for 10 minutes gets what waits for it within a minute, at a limited rate',
    ],
  },
  {
    name: 'a check that hung writes outcomes though it lost its lease',
    file: 'apps/notifier/src/alerts/page.ts',
    find: '    this.throwIfLost();\n    return held;',
    replace: '    return held;',
    caughtBy: ['apps/notifier/src/alerts/check.spec.ts'],
  },
  {
    name: 'a notifier whose machine slept raises what another one has judged again',
    file: 'apps/notifier/src/alerts/check.ts',
    find: 'prepared.filter(({ found: { bottle } }) => held.has(bottle._id.toHexString())),',
    replace: 'held.size < 0 ? [] : prepared,',
    caughtBy: ['test/notifier/killed.cases.ts: on a machine that slept: its clock does not say for how long'],
  },
  {
    name: 'what a notifier wrote when its lease had ended is not judged again',
    file: 'apps/notifier/src/alerts/check.ts',
    find: 'if (released) return;',
    replace: 'if (released || began >= 0) return;',
    caughtBy: ['test/notifier/killed.cases.ts: before it raises a silence: the alert ends'],
  },
  {
    name: 'a lid that is still open is taken for closed when its alert is in doubt',
    file: 'apps/notifier/src/alert-kinds/bottle-open/open-bottles.check.ts',
    find: 'if (state.open && action.time.getTime() === state.open_alerted_for?.getTime())',
    replace: 'if (state.open && action.time.getTime() < 0)',
    caughtBy: [
      'test/notifier/killed.cases.ts: before it raises an open lid, and the one that raised it is killed: the alert stays while the lid is open',
    ],
  },
  {
    name: 'an older judgement replaces the outcome of a newer one',
    file: 'libs/persistence/src/dose-outcomes/dose-outcomes.repository.ts',
    find: "{ $gt: ['$judged_at', outcome.judged_at] }",
    replace: 'false',
    caughtBy: ['test/notifier/killed.cases.ts: before it writes an outcome: the newer judgement stays'],
  },
  {
    name: 'the outcome that a killed notifier has written stays',
    file: 'libs/persistence/src/dose-outcomes/dose-outcomes.repository.ts',
    find: 'await this.replace(first.filter((_, index) => failures.has(documents[index]!)));',
    replace: 'void failures;',
    caughtBy: [
      'test/notifier/killed.cases.ts: of a missed dose, and a backlog has it taken: the outcome that it wrote is replaced',
    ],
  },
  {
    name: 'the reconcile leaves the alert of a dose that has its outcome open',
    file: 'apps/notifier/src/reconcile/reconcile.ts',
    find: 'await this.judgeAgain(open, page, states);',
    replace: '',
    caughtBy: [
      'test/notifier/killed.cases.ts: and is killed when it has raised a false alert: the reconcile has the dose judged again',
    ],
  },
  {
    name: 'an alert that cannot be read holds up its page',
    file: 'apps/notifier/src/delivery/outbox.service.ts',
    find: 'if (await this.owed.quarantine(alert, failure))',
    replace: 'if (error) throw error;\n        if (await this.owed.quarantine(alert, failure))',
    caughtBy: ['apps/notifier/src/delivery/outbox.service.spec.ts'],
  },
  {
    name: 'an alert that was mended while a notifier hung is quarantined',
    file: 'libs/persistence/src/alerts/owed-notifications.repository.ts',
    find: 'updateOne(asRead(alert), {',
    replace: 'updateOne(filterOf([alert]), {',
    caughtBy: ['test/notifier/claims.cases.ts: when a step is due'],
  },
  {
    name: 'a bad record stops the sweep',
    file: 'apps/notifier/src/alerts/check.ts',
    find: 'if (isDatabaseError(error)) throw error;',
    replace: 'if (error) throw error;',
    caughtBy: ['test/notifier/open.cases.ts: quarantines a bad record and continues with the good ones'],
  },
  {
    name: 'an invalid item of a batch refuses the others',
    file: 'apps/device-api/src/batch/batch.service.ts',
    find: 'if (error instanceof Problem) return error;',
    replace: '',
    caughtBy: [
      'test/device-api/reports.cases.ts: answers each item in its place, as it would have been answered alone',
    ],
  },
  {
    name: 'a notifier that has lost its claim quarantines what another one has judged',
    file: 'libs/persistence/src/bottle-states/deadlines.repository.ts',
    find: '{ _id: id, [`${claimField}.token`]: claim.token },',
    replace: '{ _id: id },',
    caughtBy: [
      'test/notifier/claims.cases.ts: a notifier that hung until another claimed the bottle does not quarantine it',
    ],
  },
];
