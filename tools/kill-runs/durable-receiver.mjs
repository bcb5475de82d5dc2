/**
 * A receiver as the operator's user service has to be, in a process of its own: what it answers with 2xx is on disk
 * before, and an id that it knows, from this life or an earlier one, is taken for a repeat. Checks signatures by
 * Standard Webhooks' own library. Takes its time over each answer, so that kills find messages in hand.
 *
 * RECEIVER_PORT; RECEIVER_JOURNAL: a file of JSON lines, see journal.ts; RECEIVER_HOLD: milliseconds, at most;
 * WEBHOOK_SECRET.
 */
import { existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

const { RECEIVER_PORT, RECEIVER_JOURNAL, RECEIVER_HOLD, WEBHOOK_SECRET } = process.env;
const webhook = new Webhook(WEBHOOK_SECRET);

const before = existsSync(RECEIVER_JOURNAL) ? readFileSync(RECEIVER_JOURNAL, 'utf8').split('\n') : [''];
const known = new Set(before.slice(0, -1).flatMap(idOf));
const journal = openSync(RECEIVER_JOURNAL, 'a');
// an earlier life may have been killed in the middle of a line: that one was not answered
if (before.at(-1) !== '') writeSync(journal, '\n');
write({ event: 'started' });

/** @param {string} line @returns {string[]} */
function idOf(line) {
  try {
    const { id } = JSON.parse(line);
    return id === undefined ? [] : [id];
  } catch {
    return [];
  }
}

/** @param {object} line */
function write(line) {
  writeSync(journal, `${JSON.stringify(line)}\n`);
}

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
async function take(request, response) {
  const body = Buffer.concat(await request.toArray()).toString();
  const { bottle_id, kind, event } = webhook.verify(body, request.headers).data;
  const id = request.headers['webhook-id'];
  write({ event: known.has(id) ? 'repeated' : 'heard', id, said: `${bottle_id} ${kind} ${event}` });
  fsyncSync(journal);
  known.add(id);
  await sleep(Math.random() * Number(RECEIVER_HOLD));
  response.writeHead(204).end(() => write({ event: 'answered', id }));
}

const server = createServer((request, response) => {
  if (request.url === '/health/ready') return void response.writeHead(200).end();
  take(request, response).catch(() => response.writeHead(400).end());
});
server.listen(Number(RECEIVER_PORT), '127.0.0.1');
