import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { WebhookSender } from '../../apps/notifier/src/delivery/channels/webhook/webhook-sender.js';
import { pythonTools } from '../../tools/contract/toolbox.js';

/** What a receiver does, by the verifier of PyPI. */
const VERIFY = `
import json, sys
from standardwebhooks import Webhook, WebhookVerificationError

def verified(secret, request):
    try:
        return Webhook(secret).verify(request['body'], request['headers'])
    except WebhookVerificationError:
        return None

asked = json.load(sys.stdin)
print(json.dumps([verified(one['secret'], one) for one in asked]))
`;

describe('what is posted to a receiver', () => {
  const [old, current, other] = Array.from(
    { length: 3 },
    () => `whsec_${randomBytes(32).toString('base64')}`,
  );
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part) => (body += part));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.end();
    });
  });
  let tools: string;
  beforeAll(async () => {
    tools = await pythonTools('webhooks.txt');
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('is verified by standardwebhooks of PyPI, by both secrets while one replaces the other', async () => {
    const clock = { now: () => new Date() };
    const settings = { WEBHOOK_ALLOW_PRIVATE: true } as ConstructorParameters<typeof WebhookSender>[0];
    const sender = new WebhookSender(settings, clock);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const bodies = [
      { type: 'alert.raised' },
      { medication: 'Grünes – 薬 "x"' },
      { text: 'x'.repeat(100_000) },
    ];
    for (const [index, body] of bodies.entries())
      await sender.post(url, {
        id: `msg_${index}`,
        body: JSON.stringify(body),
        signers: [new Webhook(current!), new Webhook(old!)],
        signal: AbortSignal.timeout(10_000),
      });
    await sender.onApplicationShutdown();
    const ask = (secret: string, change: object = {}) =>
      received.map((one) => ({ ...one, ...change, secret }));
    const asked = [...ask(current!), ...ask(old!), ...ask(other!), ...ask(current!, { body: '{}' })];
    const answer = execFileSync(join(tools, 'python3'), ['-c', VERIFY], { input: JSON.stringify(asked) });
    const nothing = [null, null, null];
    expect(JSON.parse(answer.toString())).toEqual([...bodies, ...bodies, ...nothing, ...nothing]);
  });
});
