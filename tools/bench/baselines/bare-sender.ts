/**
 * Baseline, in a thread of its own: what a check of the open bottles writes, and each message sent over one webhook. An
 * attempt is on record before it begins, and its result after it, a hundred with one update; the next hundred is sent
 * meanwhile.
 */
import { mongo } from 'mongoose';
import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { Agent, request } from 'undici';
import { NO_RESULT } from '#domain';
import { type Recorded, writeAlerts } from './bare-alerts.js';

const TOGETHER = 100;
const IN_FLIGHT = 2;

/** What the thread is asked to do. */
interface Task {
  uri: string;
  /** Where the messages go. */
  url: string;
  /** {@link Recorded}, as BSON. */
  recorded: Uint8Array;
}

/** The thread, from outside. */
export class BareSender {
  private readonly worker = new Worker(new URL(import.meta.url));

  /** @returns seconds until all are sent and their results are stored */
  async send(uri: string, url: string, recorded: Recorded): Promise<number> {
    const task: Task = { uri, url, recorded: mongo.BSON.serialize(recorded) };
    const answer = once(this.worker, 'message') as Promise<[number]>;
    this.worker.postMessage(task, []);
    return (await answer)[0];
  }

  async stop(): Promise<void> {
    await this.worker.terminate();
  }
}

async function perform({ uri, url, recorded }: Task): Promise<number> {
  const client = await new mongo.MongoClient(uri, {
    writeConcern: { w: 'majority', journal: true },
  }).connect();
  const agent = new Agent({ connections: TOGETHER });
  const deliveries = client.db().collection<mongo.Document & { _id: string }>('deliveries');
  const post = async (delivery: mongo.Document): Promise<void> => {
    const { _id, kind, event, bottle_id, alert_id, user_id, medication, created_at } = delivery;
    const data = { kind, event, bottle_id, alert_id, user_id, medication };
    const answer = await request(url, {
      method: 'POST',
      dispatcher: agent,
      body: JSON.stringify({ type: `alert.${event}`, timestamp: created_at, data }),
      headers: { 'content-type': 'application/json', 'webhook-id': _id as string },
    });
    await answer.body.dump();
    if (answer.statusCode !== 204) throw new Error(`the receiver answered ${answer.statusCode}`);
  };
  const sendTogether = async (group: mongo.Document[]): Promise<void> => {
    const at = new Date();
    const filter = { _id: { $in: group.map(({ _id }) => _id as string) } };
    const begun = { attempts: { at, ok: false, error: NO_RESULT } };
    const again = { next_attempt_at: new Date(at.getTime() + 60_000) };
    await deliveries.updateMany(filter, { $push: begun, $set: again } as never, { hint: '_id_' });
    await Promise.all(group.map(post));
    const result = { at, ok: true, status: 204, ms: Date.now() - at.getTime() };
    await deliveries.updateMany(
      filter,
      { $set: { status: 'delivered', 'attempts.0': result }, $unset: { next_attempt_at: '' } },
      { hint: '_id_' },
    );
  };
  try {
    const start = performance.now();
    const sending = Array.from({ length: IN_FLIGHT }, () => Promise.resolve());
    let groups = 0;
    await writeAlerts(client.db(), mongo.BSON.deserialize(recorded) as Recorded, (written) => {
      for (let from = 0; from < written.length; from += TOGETHER) {
        const turn = groups++ % IN_FLIGHT;
        const group = written.slice(from, from + TOGETHER);
        sending[turn] = sending[turn]!.then(() => sendTogether(group));
      }
    });
    await Promise.all(sending);
    return (performance.now() - start) / 1_000;
  } finally {
    await agent.close();
    await client.close();
  }
}

if (!isMainThread)
  parentPort!.on(
    'message',
    (task: Task) => void perform(task).then((seconds) => parentPort!.postMessage(seconds, [])),
  );
