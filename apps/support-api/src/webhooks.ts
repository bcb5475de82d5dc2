import {
  ALERT_ENDINGS,
  ALERT_KINDS,
  CLOSE_REASONS,
  NOTIFICATION_EVENTS,
  type NotificationEvent,
  notificationEventFacts,
} from '#domain';
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
    state: { type: 'string', enum: ['open', 'acknowledged', 'resolved', 'retracted', 'closed'] },
    deadline: TIME,
    raised_at: TIME,
    ...(notificationEventFacts(event).summarizes ? { doses: { type: 'array', items: ofDose(event) } } : {}),
  };
  const closed = { by: TEXT, at: TIME, reason: { type: 'string', enum: CLOSE_REASONS } };
  const optional = {
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
  return { type: 'object', properties: { ...DOSE, ...url }, required: Object.keys(DOSE) };
}

/** The body of a webhook about this event, as a JSON schema; `#domain`'s `Message` is its type. */
export function webhookSchema(event: NotificationEvent): object {
  return allOf({ type: { const: `alert.${event}` }, timestamp: TIME, data: dataOf(event) });
}

const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
  name,
  in: 'header',
  required: name !== 'webhook-signature',
  schema: TEXT,
}));

/** What the notifier posts to WEBHOOK_URL, as OpenAPI's `webhooks`; docs/webhooks.md has the rest. */
export const WEBHOOKS: Record<string, object> = Object.fromEntries(
  NOTIFICATION_EVENTS.map((event) => [
    `alert.${event}`,
    {
      post: {
        operationId: `webhook_${event}`,
        summary: notificationEventFacts(event).title ?? `An alert is ${event}`,
        tags: ['webhooks'],
        security: [],
        parameters: HEADERS,
        requestBody: { required: true, content: { 'application/json': { schema: webhookSchema(event) } } },
        responses: {
          '2XX': { description: 'Stored, or seen before.' },
          '410': { description: 'Never send it again.' },
        },
      },
    },
  ]),
);
