import {
  type Alert,
  ALERT_KINDS,
  composeMessage,
  NOTIFICATION_EVENTS,
  notificationEventFacts,
  summarize,
  webhookBody,
} from '#domain';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFile } from 'node:fs/promises';
import { REFUSED_SCHEMA, WEBHOOKS, webhookSchema } from './webhooks.js';

const at = new Date('2026-03-02T09:30:00Z');
const id = { toHexString: () => 'a'.repeat(24) };

describe.each(NOTIFICATION_EVENTS)('the webhook of %s', (event) => {
  const validate = new Ajv2020({ formats: { 'date-time': true, uri: true } }).compile(webhookSchema(event));

  it.each(ALERT_KINDS)('is described as it is sent, of %s', (kind) => {
    const state = notificationEventFacts(event).ends ?? 'open';
    const closing = { by: 'Carol', at, reason: 'other' as const, note: 'x', notified: true };
    const alert = { user_id: 'anna', medication: 'x', kind, subject: '', state, deadline: at, raised_at: at };
    const ended = { ended_at: at, evidence: { outcome: 'missed' }, ...(state === 'closed' && { closing }) };
    const composed = composeMessage(
      { event, created_at: at },
      { _id: id, bottle_id: id, ...alert, ...(state === 'open' ? { evidence: {} } : ended) } as Alert,
      { acknowledge_url: 'https://pills.example.org/a/x', statement_url: 'https://pills.example.org/a/x' },
    );
    const summary = notificationEventFacts(event).summarizes ? summarize([composed]) : composed;
    const message = webhookBody(summary, { recipient: 'carer:anna', step: 'raised:0:0' }, 'Bo');
    validate(JSON.parse(JSON.stringify(message)));
    expect(validate.errors ?? []).toEqual([]);
    expect(fieldsOf(webhookSchema(event))).toEqual(expect.arrayContaining(Object.keys(message.data)));
  });
});

function fieldsOf(schema: object): string[] {
  return Object.keys((schema as { properties: { data: { properties: object } } }).properties.data.properties);
}

it('has a row for every event, and for every field, in docs/webhooks.md', async () => {
  const text = await readFile('docs/webhooks.md', 'utf8');
  for (const type of Object.keys(WEBHOOKS).filter((name) => name !== 'test'))
    expect(text).toContain(`| \`${type}\``);
  const fields = new Set([...text.matchAll(/`data\.([a-z_]+)`/g)].map(([, name]) => name));
  const described = [webhookSchema('summary'), REFUSED_SCHEMA].flatMap(fieldsOf);
  expect(fields).toEqual(new Set(described));
});
