import {
  ALERT_ENDINGS,
  ALERT_KINDS,
  CLOSE_REASONS,
  NOTIFICATION_EVENTS,
  type NotificationEvent,
  notificationEventFacts,
  PERSON_ROLES,
  RECIPIENT_ROLES,
} from '#domain';
import { CONTACT_CHANNELS } from '#persistence';
import { ID } from '#platform';

const TEXT = { type: 'string' };
const TIME = { type: 'string', format: 'date-time' };
const DOCUMENT_ID = { type: 'string', pattern: ID.source };
const EVIDENCE = { type: 'object', description: 'The numbers of the rule; its fields depend on the kind.' };
const DOSE = {
  alert_id: DOCUMENT_ID,
  bottle_id: DOCUMENT_ID,
  user_id: TEXT,
  medication: TEXT,
  subject: TEXT,
  evidence: EVIDENCE,
};

/** Of the recipients who are carers. */
const CARER = { ...TEXT, description: 'Of a carer: which one; the first is `carer`.' };

/** Of the person and the bottle, what has one. */
const NAMES = {
  user_name: { ...TEXT, description: 'As the contact of the user names the person.' },
  label: { ...TEXT, description: 'By which people tell the bottle from their others.' },
};

const allOf = (properties: object): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

function dataOf(event: NotificationEvent): object {
  const required = {
    ...DOSE,
    kind: { type: 'string', enum: ALERT_KINDS },
    event: { const: event },
    step: { type: 'string', description: 'Of the escalation; the same in each attempt.' },
    recipient: {
      type: 'object',
      description:
        'Whom it is for. user_id: whose contact it is; absent for the operator. contact: who that is.',
      properties: {
        role: { type: 'string', enum: RECIPIENT_ROLES },
        user_id: TEXT,
        carer_id: CARER,
        contact: allOf({ name: TEXT }),
      },
      required: ['role'],
    },
    state: { type: 'string', enum: ['open', 'acknowledged', 'resolved', 'retracted', 'closed'] },
    deadline: TIME,
    raised_at: TIME,
    ...(notificationEventFacts(event).summarizes ? { doses: { type: 'array', items: ofDose(event) } } : {}),
  };
  const closed = { by: TEXT, at: TIME, reason: { type: 'string', enum: CLOSE_REASONS } };
  const optional = {
    ...NAMES,
    ended_at: TIME,
    ended_as: { type: 'string', enum: ALERT_ENDINGS },
    closed: { type: 'object', properties: { ...closed, note: TEXT }, required: Object.keys(closed) },
    acknowledge_url: { type: 'string', format: 'uri' },
    statement_url: { type: 'string', format: 'uri' },
  };
  return { type: 'object', properties: { ...required, ...optional }, required: Object.keys(required) };
}

/** One of several doses; of one that cannot be confirmed, with the page on which the recipient can say what became of it. */
function ofDose(event: NotificationEvent): object {
  const url = event === 'unconfirmed' ? { statement_url: { type: 'string', format: 'uri' } } : {};
  return { type: 'object', properties: { ...DOSE, ...NAMES, ...url }, required: Object.keys(DOSE) };
}

/** The body of a webhook about this event, as a JSON schema; `#domain`'s `Message` is its type. */
export function webhookSchema(event: NotificationEvent): object {
  return allOf({ type: { const: `alert.${event}` }, timestamp: TIME, data: dataOf(event) });
}

const HEADERS = Object.entries({
  'webhook-id':
    "The delivery's id, as in `GET /v1/deliveries`; of a test message, the test's. Drop what you have seen.",
  'webhook-timestamp': 'When this attempt was made, Unix time in seconds.',
  'webhook-signature': 'As Standard Webhooks specifies; only with WEBHOOK_SECRET.',
}).map(([name, description]) => ({
  name,
  in: 'header',
  required: name !== 'webhook-signature',
  description,
  schema: TEXT,
}));

/** What staff send from a contact: about nobody. */
const TEST_SCHEMA = allOf({
  type: { const: 'test' },
  timestamp: TIME,
  data: { type: 'object', maxProperties: 0 },
});

/** What the operator is notified of once a day. */
export const REFUSED_SCHEMA = allOf({
  type: { const: 'addresses.refused' },
  timestamp: TIME,
  data: allOf({
    addresses: {
      type: 'array',
      items: allOf({
        user_id: TEXT,
        role: { type: 'string', enum: PERSON_ROLES },
        channel: { type: 'string', enum: CONTACT_CHANNELS },
        since: TIME,
        by: { type: 'string', description: 'The host that refused it.' },
        reply: { type: 'string', description: 'Its reply.' },
      }),
    },
  }),
});

/** What people are notified of when an endpoint fails for days, or is disabled. */
const ENDPOINT_SCHEMA = (type: string): object => ({
  type: 'object',
  properties: {
    type: { const: type },
    timestamp: TIME,
    data: {
      type: 'object',
      properties: {
        endpoint_id: DOCUMENT_ID,
        host: { type: ['string', 'null'], description: 'null: that of WEBHOOK_URL.' },
        description: TEXT,
        failing_since: TIME,
        disabled_at: TIME,
      },
      required: ['endpoint_id', 'host'],
    },
  },
  required: ['type', 'timestamp', 'data'],
});

function posted(name: string, summary: string, schema: object): object {
  return {
    post: {
      operationId: `webhook_${name}`,
      summary,
      tags: ['webhooks'],
      security: [],
      parameters: HEADERS,
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: {
        '2XX': { description: 'Stored, or seen before.' },
        '410': { description: 'Never send it again.' },
      },
    },
  };
}

/** What the notifier posts to endpoints, as OpenAPI's `webhooks`; docs/webhooks.md has the rest. */
export const WEBHOOKS: Record<string, object> = {
  ...Object.fromEntries(
    NOTIFICATION_EVENTS.map((event) => {
      const summary = notificationEventFacts(event).title ?? `An alert is ${event}`;
      return [`alert.${event}`, posted(event, summary, webhookSchema(event))];
    }),
  ),
  'addresses.refused': posted(
    'addresses_refused',
    'Addresses of people began to refuse messages for good; once a day, if there are any',
    REFUSED_SCHEMA,
  ),
  'endpoint.failing': posted(
    'endpoint_failing',
    'Another endpoint has failed for 4 days, and is disabled in a day unless something arrives there',
    ENDPOINT_SCHEMA('endpoint.failing'),
  ),
  'endpoint.disabled': posted(
    'endpoint_disabled',
    'Another endpoint is disabled: it failed for 5 days, or answered 410',
    ENDPOINT_SCHEMA('endpoint.disabled'),
  ),
  test: posted('test', 'Staff send a test message', TEST_SCHEMA),
};
