import type { Fault } from '../fault.js';

const MAY_BE_SENT = 'libs/domain/src/notifications/may-be-sent.ts';
const EVENTS = 'libs/domain/src/notifications/notification-events.ts';
const MISSED_DOSE = 'apps/notifier/src/alert-kinds/missed-dose/missed-dose.ts';
const OWED = 'libs/domain/src/notifications/owed.ts';
const THROTTLE = 'libs/domain/src/notifications/throttle.ts';
const QUIET = 'libs/domain/src/notifications/quiet-hours.ts';

/** Who is notified of what, and when; and what people do about it. */
export const MESSAGES: readonly Fault[] = [
  {
    name: 'what is owed to somebody without an address is cancelled',
    file: MAY_BE_SENT,
    find: "return { kind: 'moved', to: replacement, at: now };",
    replace: "return { kind: 'cancelled', reason: 'no address' };",
    caughtBy: ['missed-after-the-contact-was-deleted', 'overdose-whose-mail-fails-then-another-channel'],
  },
  {
    name: 'a person without an address is replaced by the operator at once',
    file: 'libs/domain/src/notifications/recipients.ts',
    find: "to === 'carer' ? ['user'] : plan.map((step) => step.to)",
    replace: 'plan.length > 99 ? [to] : []',
    caughtBy: ['owed-to-a-person'],
  },
  {
    name: 'a new carer hears the end of what the former one was sent',
    file: MAY_BE_SENT,
    find: 'last < since',
    replace: 'last.getTime() < 0',
    caughtBy: ['owed-to-a-person'],
  },
  {
    name: 'a mail may have arrived though the mail server hung before it asked for the content',
    file: 'apps/notifier/src/delivery/channels/email/email.channel.ts',
    find: 'reject(new DeliveryError(message, { unsent: !this.contentAsked.has(signal) }));',
    replace: 'reject(new DeliveryError(message));',
    caughtBy: ['test/notifier/mail-server.cases.ts'],
  },
  {
    name: 'quiet hours are read in UTC',
    file: MAY_BE_SENT,
    find: 'quietUntil(details.quiet_hours, details.time_zone, now)',
    replace: "quietUntil(details.quiet_hours, 'UTC', now)",
    caughtBy: ['quiet-hours-in-the-recipients-zone'],
  },
  {
    name: 'quiet hours drop what they defer',
    file: MAY_BE_SENT,
    find: "return until && { kind: 'postponed', next_attempt_at: until, reason: 'quiet hours' };",
    replace: "return until && { kind: 'cancelled', reason: 'quiet hours' };",
    caughtBy: ['quiet-hours-defer-and-never-drop'],
  },
  {
    name: 'quiet hours defer an extra dose',
    file: MAY_BE_SENT,
    find: 'if (!details?.quiet_hours || isCritical(alert)) return undefined;',
    replace: 'if (!details?.quiet_hours) return undefined;',
    caughtBy: ['extra-dose-wakes-the-night'],
  },
  {
    name: 'quiet hours include their last moment',
    file: QUIET,
    find: 'Temporal.PlainTime.compare(time, ends) < 0',
    replace: 'Temporal.PlainTime.compare(time, ends) <= 0',
    caughtBy: ['libs/domain/src/notifications/quiet-hours.spec.ts'],
  },
  {
    name: 'whoever was notified does not get the end',
    file: 'libs/domain/src/notifications/delivery.ts',
    find: "if (status === 'delivered') return true;",
    replace: "if (status === 'delivered') return false;",
    caughtBy: ['late-dose-taken'],
  },
  {
    name: 'whoever was not notified gets the end',
    file: MAY_BE_SENT,
    find: 'if (arrived.length > 0) return undefined;',
    replace: 'if (arrived.length >= 0) return undefined;',
    caughtBy: ['quiet-night-over-by-morning', 'nobody-is-notified-at-once'],
  },
  {
    name: 'a mail scanner that follows the link acknowledges',
    file: 'apps/support-api/src/links/links.controller.ts',
    find: 'return send(await this.links.ask(token), reply);',
    replace: 'return send(await this.links.acknowledge(token), reply);',
    caughtBy: [
      'test/flows/messages.cases.ts: carry a link that asks, and only its POST acknowledges; that stops the escalation',
    ],
  },
  {
    name: 'the link of a removed contact acknowledges',
    file: 'apps/support-api/src/links/links.service.ts',
    find: 'return address !== undefined && link.wasSentTo(address) ? details : undefined;',
    replace: 'return address === undefined || link.wasSentTo(address) ? (details ?? {}) : undefined;',
    caughtBy: [
      'test/flows/messages.cases.ts: carry a link that is refused once its recipient is removed or has another address',
    ],
  },
  {
    name: 'a step repeats once only',
    file: 'libs/domain/src/notifications/escalation.ts',
    find: 'every >= SHORTEST_REPEAT_MS ? every : undefined',
    replace: 'every < SHORTEST_REPEAT_MS ? every : undefined',
    caughtBy: ['repeats-until-acknowledged'],
  },
  {
    name: 'a step is due a moment after its time',
    file: 'libs/domain/src/notifications/escalation.ts',
    find: 'first > from && first <= until ?',
    replace: 'first > from && first < until ?',
    caughtBy: ['libs/domain/src/notifications/escalation.spec.ts'],
  },
  {
    name: 'steps that fall together are all sent to the same person',
    file: OWED,
    find: 'if (ofSameAddress(one, wanted.slice(0, index)).length > 0) return false;',
    replace: '',
    caughtBy: ['reminder-and-morning-at-once', 'repeats-in-quiet-hours', 'snoozed-and-notified-again'],
  },
  {
    name: 'a reminder is sent beside what waits for the morning',
    file: OWED,
    find: "if (status === 'pending') return true;",
    replace: '',
    caughtBy: ['repeats-in-quiet-hours'],
  },
  {
    name: 'a missed dose ends the plan',
    file: EVENTS,
    find: '    continuesPolicy: true,\n',
    replace: '',
    caughtBy: ['missed-does-not-end-the-plan'],
  },
  {
    name: 'whoever was notified of a late dose does not get that it cannot be confirmed',
    file: MISSED_DOSE,
    find: "owed: 'unknown', note: 'cannot be confirmed'",
    replace: "note: 'cannot be confirmed'",
    caughtBy: ['notified-late-then-unknowable'],
  },
  {
    name: 'nobody is notified of a part that is found after "missed"',
    file: MISSED_DOSE,
    find: "    case 'missed':\n    case 'taken_late':\n      return { alert, end:",
    replace: "    case 'taken_late':\n      return { alert, end:",
    caughtBy: ['missed-then-a-part-was-found'],
  },
  {
    name: 'doses of long ago are sent one by one',
    file: MISSED_DOSE,
    find: "owed: isLongAgo ? 'summary' : dose.outcome",
    replace: 'owed: dose.outcome',
    caughtBy: ['missed-while-no-notifier-ran-for-a-day'],
  },
  {
    name: 'a dose that ended exactly a day ago is of long ago',
    file: MISSED_DOSE,
    find: 'now.getTime() - dose.slot.missed_at.getTime() > NOTIFIED_SINGLY_MS',
    replace: 'now.getTime() - dose.slot.missed_at.getTime() >= NOTIFIED_SINGLY_MS',
    caughtBy: ['apps/notifier/src/alert-kinds/missed-dose/missed-dose.spec.ts'],
  },
  {
    name: 'nobody is notified of extra pills of two days ago',
    file: 'apps/notifier/src/alert-kinds/extra-dose/extra-dose.ts',
    find: 'const NOTIFIED_WITHIN_MS = 7 * 24 *',
    replace: 'const NOTIFIED_WITHIN_MS = 1 * 24 *',
    caughtBy: ['found-after-days-offline'],
  },
  {
    name: 'the step of a carer goes to the user',
    file: 'libs/domain/src/notifications/recipients.ts',
    find: 'new Set([to, ...replacements])',
    replace: 'new Set([...replacements, to])',
    caughtBy: [
      'missed-does-not-end-the-plan',
      'test/flows/messages.cases.ts: go to the user at once, to the carer after half an hour, and to both when the alert ends',
    ],
  },
  {
    name: 'a partial dose is sent only to those who were notified before',
    file: EVENTS,
    find: "reachesPolicy: true,\n    outcome: 'partial',\n    asksForDose",
    replace: "outcome: 'partial',\n    asksForDose",
    caughtBy: ['partial-notifies-everyone-in-the-plan'],
  },
  {
    name: 'closing by a person ends the condition',
    file: 'libs/persistence/src/alerts/alerts.repository.ts',
    find: '$unset: forGood ? UNSET_AT_END :',
    replace: '$unset: _id ? UNSET_AT_END :',
    caughtBy: ['closed-by-staff-and-then-missed'],
  },
  {
    name: 'the end of a flapping alert is sent at once',
    file: 'apps/notifier/src/alerts/flapping.ts',
    find: "alert.flapping === true && alert.state !== 'closed' && end.owed === 'resolved'",
    replace: "alert.flapping === undefined && end.owed === 'retracted'",
    caughtBy: ['bad-wifi-is-held-down'],
  },
  {
    name: 'a flapping alert that staff closed stands for the next silence',
    file: 'libs/persistence/src/alerts/flapping-alerts.repository.ts',
    find: "state: { $ne: 'closed' },",
    replace: '',
    caughtBy: ['test/notifier/flapping.cases.ts: is raised again when it returns'],
  },
  {
    name: 'it takes one end more until an alert flaps',
    file: 'libs/domain/src/flapping/flapping.ts',
    find: 'recent.length >= UNTIL_FLAPPING',
    replace: 'recent.length > UNTIL_FLAPPING',
    caughtBy: ['lid-that-bounces-is-held-down'],
  },
  {
    name: 'a summary is cut where a page ends',
    file: 'libs/persistence/src/deliveries/outbox.repository.ts',
    find: 'found.filter(isSummarized)',
    replace: 'found.filter(({ event }) => event.length > 99)',
    caughtBy: [
      'test/notifier/delivery.cases.ts: a summary that is larger than a page is one message, also when two notifiers send it at once',
    ],
  },
  {
    name: 'what was added to a summary is sent under an id that the receiver has',
    file: 'libs/domain/src/notifications/one-message.ts',
    find: 'isSummarized(delivery) ? `${event} ${attempts[0]?.at.getTime()}` : delivery',
    replace: 'isSummarized(delivery) && attempts ? event : delivery',
    caughtBy: ['libs/domain/src/notifications/one-message.spec.ts'],
  },
  {
    name: 'a summary does not wait for doses of bottles that are not judged yet',
    file: 'libs/domain/src/notifications/gathering.ts',
    find: 'if (isDue) return nextFullMinute(now);',
    replace: '',
    caughtBy: [
      'test/notifier/doses.cases.ts: are one message to a person, however long it takes to judge the fleet',
    ],
  },
  {
    name: 'a summary does not wait for what was found a moment ago',
    file: 'libs/domain/src/notifications/gathering.ts',
    find: 'return others.length === 0',
    replace: 'return others.length >= 0',
    caughtBy: [
      'test/notifier/doses.cases.ts: are one message to a person, also if the last is found just before the others are sent',
    ],
  },
  {
    name: 'a summary waits for ever for a bottle that is not judged',
    file: 'libs/domain/src/notifications/gathering.ts',
    find: 'now.getTime() - created_at.getTime() < LONGEST_MS',
    replace: 'now.getTime() - created_at.getTime() < LONGEST_MS * 99',
    caughtBy: [
      'test/notifier/doses.cases.ts: are sent without those of a bottle that is not judged for two hours',
    ],
  },
  {
    name: 'a summary waits for others half as long',
    file: 'libs/domain/src/notifications/gathering.ts',
    find: 'const GATHERING_MS = 30_000;',
    replace: 'const GATHERING_MS = 15_000;',
    caughtBy: ['libs/domain/src/notifications/owed.spec.ts'],
  },
  {
    name: 'a reminder exactly 30 s after the last notification is too soon',
    file: OWED,
    find: 'now.getTime() - sentAt.getTime() < TOO_SOON_MS',
    replace: 'now.getTime() - sentAt.getTime() <= TOO_SOON_MS',
    caughtBy: ['libs/domain/src/notifications/owed.spec.ts'],
  },
  {
    name: 'a silence names a dose to whoever was notified that it cannot be confirmed',
    file: 'libs/domain/src/notifications/named-doses.ts',
    find: 'if (doses.length === 0 || notified.length === 0) return alert;',
    replace: 'if (doses.length >= 0) return alert;',
    caughtBy: [
      'test/notifier/doses.cases.ts: a dose is not named again by the silence to whoever was notified that it cannot be confirmed',
    ],
  },
  {
    name: 'a message that may have arrived is sent early as often as its receiver answers',
    file: 'libs/domain/src/notifications/backoff.ts',
    find: '>= MAX_EARLY_UNKNOWN',
    replace: '>= 10 * MAX_EARLY_UNKNOWN',
    caughtBy: ['libs/domain/src/notifications/backoff.spec.ts'],
  },
  {
    name: 'early attempts advance the backoff',
    file: 'libs/domain/src/notifications/backoff.ts',
    find: 'attempts.filter(({ early }) => !early).length',
    replace: 'attempts.filter(({ early }) => early === undefined || early).length',
    caughtBy: ['libs/domain/src/notifications/backoff.spec.ts'],
  },
  {
    name: 'an attempt that was brought forward is recorded as one of the backoff',
    file: 'libs/persistence/src/deliveries/receivers.repository.ts',
    find: 'set: { early: true }',
    replace: 'set: {}',
    caughtBy: [
      'test/notifier/delivery.cases.ts: a receiver that answers when it is asked and takes nothing is tried ten times by the backoff, and early at most every 15 minutes',
    ],
  },
  {
    name: 'a message that was refused alone is sent as soon as the receiver answers',
    file: 'libs/domain/src/notifications/backoff.ts',
    find: ' || !isUnavailable(last.status)',
    replace: '',
    caughtBy: ['libs/domain/src/notifications/backoff.spec.ts'],
  },
  {
    name: 'the hourly limit delays messages about doses',
    file: THROTTLE,
    find: '&& !alertKindFacts(delivery.kind).unthrottled',
    replace: '',
    caughtBy: ['hourly-limit-reached'],
  },
  {
    name: 'the hourly limit is one message less',
    file: THROTTLE,
    find: 'sent[sent.length - limit.times]',
    replace: 'sent[sent.length - limit.times + 1]',
    caughtBy: ['hourly-limit-reached'],
  },
  {
    name: 'messages go to an address that nobody has confirmed',
    file: 'libs/persistence/src/contacts/addresses.ts',
    find: 'return details[verifiedField(channel)] === null ? undefined : details[channel];',
    replace: 'return details[channel];',
    caughtBy: ['address-not-verified'],
  },
  {
    name: 'a dose of which a part was taken is called not taken',
    file: 'libs/domain/src/alert-kinds/alert-kinds.ts',
    find: "raised: (evidence) => (isPart(evidence) ? 'Only part of the dose was taken so far' : undefined),",
    replace: '',
    caughtBy: ['libs/domain/src/messages/person-text.spec.ts'],
  },
  {
    name: 'what is taken of a late dose is not in its reminder',
    file: MISSED_DOSE,
    find: "if (!dose || dose.outcome || dose.pills_taken === alert.evidence['pills_taken']) return [];",
    replace: 'if (dose !== null) return [];',
    caughtBy: [
      'test/notifier/doses.cases.ts: is taken in part: its notifications say so, and what is taken later is in the reminder',
    ],
  },
  {
    name: 'a notification that cannot be read holds up its channel',
    file: 'apps/notifier/src/delivery/deliverer.ts',
    find: `      return await this.plan(claim, deliveries, channel);
    } catch (error) {
      if (isDatabaseError(error)) throw error;`,
    replace: `      return await this.plan(claim, deliveries, channel);
    } catch (error) {
      if (error) throw error;`,
    caughtBy: ['test/notifier/delivery.cases.ts: holds up no other, and is dead after ten attempts'],
  },
  {
    name: 'an acknowledgement of a late dose stops the steps of the missed one',
    file: 'libs/persistence/src/alerts/alerts.repository.ts',
    find: "const stopped = [{ snoozed_until: { $exists: true } }, { state: 'acknowledged' }];",
    replace: 'const stopped = [{ snoozed_until: { $exists: true } }];',
    caughtBy: ['acknowledged-by-the-patient-and-then-missed'],
  },
  {
    name: 'an acknowledgement of a late dose keeps from the carer that part of it was taken',
    file: OWED,
    find: 'reachesEveryone(end_owed, evidence) && closing === undefined',
    replace: 'reachesEveryone(end_owed, evidence) && closing === null',
    caughtBy: ['acknowledged-by-the-patient-and-then-missed'],
  },
  {
    name: 'a recipient takes over a missed dose, and no other gets it',
    file: 'libs/persistence/src/alerts/alert.schema.ts',
    find: '=> ACTIVE_STATES.includes(state);',
    replace: "=> ACTIVE_STATES.includes(state) || state === 'resolved';",
    caughtBy: [
      'test/support-api/attestations.cases.ts: acknowledges no missed dose whose steps are still to come: that is for staff',
    ],
  },
  {
    name: 'steps that fell into the snooze of a late dose wait for its end when the dose is missed',
    file: 'libs/persistence/src/alerts/alerts.repository.ts',
    find: 'update: { ...update, $set: { ...update.$set, next_step_at: end.at } },',
    replace: 'update,',
    caughtBy: ['snooze-ends-when-the-dose-is-missed'],
  },
];
