import { type About, isOpenEvent, personOf } from './about.js';
import {
  type Allowed,
  type AllowedFields,
  differencesIn,
  exactly,
  fields,
  matching,
  oneOf,
  optional,
  timeBetween,
  timeOf,
} from './allowed.js';
import { deadlineOf, endedAsOf, evidenceOf, subjectOf } from './claims.js';
import type { WebhookBody, WebhookData } from './content.js';
import { ranOutAt } from './dose-claims.js';
import { linkKindOf, linkOf } from './links.js';

/** Alerts that are about no single bottle are those of the whole fleet. */
const FLEET = { bottle: '000000000000000000000000', user: 'fleet' };
/** What is queued at one moment is distinguished by milliseconds. */
const ORDERED_MS = 9;
const ID = /^[0-9a-f]{24}$/;

/** What a message is, apart from its content. */
export interface Envelope {
  id: string;
  about: About;
  /** The registered bottle; undefined for alerts of the fleet. */
  bottleId: string | undefined;
}

/** The story of a bottle by its id. */
export type StoryOf = (bottleId: string) => About['story'];

/** What a webhook says that the scenario does not. */
export function webhookProblems(
  { id, about, bottleId }: Envelope,
  { type, timestamp, data }: WebhookBody,
  storyOf: StoryOf,
): string[] {
  const { event, raisedAt, at } = about;
  return [
    ...differencesIn(
      { type, timestamp },
      { type: exactly(`alert.${event}`), timestamp: timeBetween(raisedAt, at + ORDERED_MS) },
    ),
    ...differencesIn(data, { ...dataOf(id, about, data, bottleId), evidence: anything }),
    ...evidenceProblems(about, data),
    ...(isOrdered(data.doses ?? []) ? [] : ['doses: they are not in order, the oldest first']),
    ...(data.doses ?? []).flatMap((dose) => {
      const story = storyOf(dose.bottle_id);
      const own = { ...about, subject: dose.subject, story };
      return [
        ...(story ? [] : [`doses: no bottle has the id ${dose.bottle_id}`]),
        ...evidenceProblems(own, dose),
        ...differencesIn(dose, { ...doseOf(own), evidence: anything }),
      ].map((problem) => `doses: ${problem}`);
    }),
  ];
}

function isOrdered(doses: readonly { subject: string }[]): boolean {
  return doses.every(({ subject }, index) => index === 0 || doses[index - 1]!.subject <= subject);
}

const anything: Allowed = { allows: () => true, text: 'anything' };

function evidenceProblems(about: About, { evidence }: Pick<WebhookData, 'evidence'>): string[] {
  return differencesIn(evidence, evidenceOf(about, evidence)).map((problem) => `evidence.${problem}`);
}

function dataOf(id: string, about: About, data: WebhookData, bottleId: string | undefined): AllowedFields {
  const { story, kind, event, at, raisedAt } = about;
  const link = linkKindOf(kind, event);
  const isGathered = event === 'summary' || event === 'unconfirmed';
  const hasEnded = !isOpenEvent(event) && event !== 'closed_by_staff';
  const url = isGathered ? linkOf(undefined, about) : linkOf([id], about);
  return {
    alert_id: matching(ID),
    bottle_id: exactly(bottleId ?? FLEET.bottle),
    user_id: exactly(personOf(about) ?? FLEET.user),
    ...userNameOf(about.facts, personOf(about), about.at),
    medication: exactly(story?.spec.medication ?? ''),
    ...labelOf(about),
    kind: exactly(kind),
    event: exactly(event),
    step: matching(/^[a-z_]+(:[\w.-]+)*$/),
    recipient: recipientsOf(about),
    subject: subjectOf(about, data.evidence),
    state: statesOf(event),
    deadline: deadlineOf(about, data.evidence),
    raised_at: timeBetween(Math.min(at, Date.parse(data.deadline), ranOutAt(about) ?? at), at),
    ...(hasEnded && { ended_at: timeBetween(raisedAt, at), ended_as: endedAsOf(about, data.evidence) }),
    ...(event === 'closed_by_staff' && { ended_as: exactly('closed_by_staff') }),
    ...(!isOpenEvent(event) && {
      closed: event === 'closed_by_staff' ? closed(about) : optional(closed(about)),
    }),
    ...(link && isOpenEvent(event) && { acknowledge_url: url }),
    // further steps of the escalation policy may follow
    ...(event === 'missed' && { acknowledge_url: optional(url) }),
    ...(link === 'ask' && { statement_url: url }),
    ...(isGathered && { doses: anything }),
  };
}

/** Whom it may be for: people whose contact has the webhook at the moment, and the operator. */
function recipientsOf(about: About): Allowed {
  const { facts, at } = about;
  const user_id = personOf(about) ?? '';
  const people = facts.contact(user_id, at).flatMap(({ role, carer_id, webhook, name }) =>
    webhook
      ? [
          {
            role,
            user_id,
            ...(carer_id !== undefined && { carer_id }),
            ...(name !== undefined && { contact: { name } }),
          },
        ]
      : [],
  );
  return oneOf([...people, { role: 'operator' }]);
}

function doseOf({ story, at, raisedAt, event, facts }: About): AllowedFields {
  const user = facts.userOf(story, raisedAt);
  return {
    alert_id: matching(ID),
    bottle_id: matching(ID),
    user_id: exactly(user),
    ...userNameOf(facts, user, at),
    medication: exactly(story?.spec.medication),
    ...labelOf({ story }),
    subject: timeOf(...(story ? facts.doses(story, at).map((dose) => dose.at) : [])),
    ...(event === 'unconfirmed' && { statement_url: linkOf(undefined, { at, facts }) }),
  };
}

/** As the contact of its person has it when it is sent. */
function userNameOf(facts: About['facts'], user: string | undefined, at: number): AllowedFields {
  const name = facts.nameOf(user ?? '', at);
  return name === undefined ? {} : { user_name: exactly(name) };
}

function labelOf({ story }: Pick<About, 'story'>): AllowedFields {
  const label = story?.spec.label;
  return label === undefined ? {} : { label: exactly(label) };
}

function statesOf(event: string): Allowed {
  switch (event) {
    case 'raised':
      return oneOf(['open', 'acknowledged']);
    case 'escalated':
      return exactly('open');
    case 'closed_by_staff':
      return exactly('closed');
    case 'retracted':
      return exactly('retracted');
    default:
      return exactly('resolved');
  }
}

/** How staff closed the alert. */
function closed({ facts, story, kind, at }: About): Allowed {
  const closings = facts.scenario.events.flatMap((event) => {
    if (event.type !== 'staff' || event.at.getTime() > at) return [];
    const { action } = event;
    if ((action.action === 'retire' || action.action === 'store') && action.bottle === story?.spec.key)
      return [{ at: event.at.getTime(), reason: 'not_in_use', note: undefined }];
    if (action.action !== 'close' || action.bottle !== story?.spec.key || action.kind !== kind) return [];
    const { reason, note } = action.body as { reason?: string; note?: string };
    return [{ at: event.at.getTime(), reason, note: reason === 'other' ? note : undefined }];
  });
  return fields({
    by: exactly('ADMIN_TOKEN'),
    at: timeOf(...closings.map((closing) => closing.at)),
    reason: oneOf(closings.map(({ reason }) => reason)),
    note: optional(oneOf(closings.flatMap(({ note }) => note ?? []))),
  });
}
