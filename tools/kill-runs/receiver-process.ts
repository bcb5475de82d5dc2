/**
 * A receiver as durable as the operator's user service has to be, in a process of its own: a message is on disk
 * before it is answered with 2xx, and an id known from this run or an earlier one is a repeat. It delays each answer,
 * so that kills find unanswered messages.
 *
 * RECEIVER_PORT; RECEIVER_JOURNAL: a file of JSON lines, see journal.ts; RECEIVER_HOLD: the longest delay in
 * milliseconds; WEBHOOK_SECRET.
 */
import { existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebhookReceiver } from '../harness/webhook-receiver.js';
import { contentOf, type JournalLine, parseLine } from './journal.js';

const { RECEIVER_PORT, RECEIVER_JOURNAL = '', RECEIVER_HOLD, WEBHOOK_SECRET = '' } = process.env;

const before = existsSync(RECEIVER_JOURNAL) ? readFileSync(RECEIVER_JOURNAL, 'utf8').split('\n') : [''];
const known = new Set(before.map(parseLine).flatMap((line) => (line && 'id' in line ? [line.id] : [])));
const journal = openSync(RECEIVER_JOURNAL, 'a');
// an earlier process may have been killed in the middle of a line: that message was not answered
if (before.at(-1) !== '') writeSync(journal, '\n');
write({ event: 'started' });

function write(line: JournalLine): void {
  writeSync(journal, `${JSON.stringify(line)}\n`);
}

await WebhookReceiver.start({
  secret: WEBHOOK_SECRET,
  port: Number(RECEIVER_PORT),
  onMessage: async ({ id, data }) => {
    write({ event: known.has(id) ? 'repeated' : 'received', id, content: contentOf(data) });
    fsyncSync(journal);
    known.add(id);
    await sleep(Math.random() * Number(RECEIVER_HOLD));
  },
  onAnswered: (id) => write({ event: 'answered', id }),
});
