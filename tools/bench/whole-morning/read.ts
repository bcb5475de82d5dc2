import type { mongo } from 'mongoose';
import { groupBy } from '#domain';
import type { WebhookReceiver } from '../../harness/webhook-receiver.js';
import { OPEN_FOR_MS } from '../load/doses.js';
import { type Dose, MINUTE } from './breakfast.js';
import { idOf } from './fleet.js';
import { mistakesOf } from './mistakes.js';
import type { Eaten } from './people.js';

const SHOWN_MISTAKES = 10;

/** What the database and the receiver say of the morning. Unix times in milliseconds, in no particular order. */
export interface Found {
  /** When doses were taken, and judged: of each both. */
  taken: { closed: number; judged: number }[];
  raised: number[];
  /** Of the messages, those that came again under the same id left out. */
  delivered: number[];
  repeated: number;
  /** Late doses that were taken, and of how many of them it was known that they were late. */
  late: { taken: number; alerted: number };
}

/** A message as the outbox has it. */
interface Sent {
  _id: string;
  event: string;
  status: string;
  told_at?: Date;
}

interface OfBottle {
  bottle_id: mongo.ObjectId;
}

/** @throws if anything is lost, there twice, or judged wrongly */
export async function readMorning(
  db: mongo.Db,
  receiver: WebhookReceiver,
  { actions }: Eaten,
  doses: readonly Dose[],
  step: number,
  eight: number,
): Promise<Found> {
  const of = async <T extends object>(collection: string, fields: object) =>
    groupBy(await db.collection<T & OfBottle>(collection).find({}, { projection: fields }).toArray(), (one) =>
      String(one['bottle_id']),
    );
  const log = await of<{ event_id: string }>('bottle_actions', { bottle_id: 1, event_id: 1 });
  const outcomes = await of<{ outcome: string; judged_at: Date }>('dose_outcomes', {});
  const alerts = await of<{ kind: string; state: string; raised_at: Date }>('alerts', {});
  const deliveries = await of<Sent>('deliveries', { bottle_id: 1, event: 1, status: 1, told_at: 1 });
  const messages = groupBy(receiver.messages, ({ data }) => data.bottle_id);
  const found: Found = {
    taken: [],
    raised: [...alerts.values()].flat().map(({ raised_at }) => raised_at.getTime()),
    delivered: receiver.messages.map(({ at }) => at),
    repeated: receiver.requests.length - receiver.messages.length,
    late: { taken: 0, alerted: 0 },
  };
  const wrong: string[] = [];
  const known = new Set<string>();
  for (const [n, dose] of doses.entries()) {
    const id = idOf(n, step);
    known.add(id);
    const closed =
      dose.opened === undefined ? undefined : Math.round(eight + dose.opened * MINUTE) + OPEN_FOR_MS;
    const [judged = [], alerted = []] = [outcomes.get(id), alerts.get(id)];
    const mistakes = mistakesOf({
      dose,
      closed: closed === undefined ? undefined : (closed - eight) / MINUTE,
      acknowledged: actions[n]!,
      logged: (log.get(id) ?? []).map(({ event_id }) => event_id),
      outcomes: judged.map(({ outcome }) => outcome),
      alerts: alerted.map(({ kind, state }) => ({ kind, state })),
      messages: (messages.get(id) ?? []).map(({ data: { kind, event } }) => `${kind} ${event}`),
      isStartDoubtful: (deliveries.get(id) ?? []).some((one) => one.event === 'raised' && isDoubtful(one)),
    });
    wrong.push(...mistakes.map((mistake) => `bottle ${n}: ${mistake}`));
    if (closed !== undefined)
      found.taken.push({ closed, judged: judged[0]?.judged_at.getTime() ?? Number.NaN });
    if (dose.fate === 'late') {
      found.late.taken += 1;
      found.late.alerted += alerted.length;
    }
  }
  const strangers = [log, outcomes, alerts, messages].flatMap((some) =>
    [...some.keys()].filter((id) => !known.has(id)),
  );
  if (strangers.length > 0)
    wrong.push(`of bottles without breakfast: ${strangers.slice(0, SHOWN_MISTAKES).join(', ')}`);
  wrong.push(...otherMessages([...deliveries.values()].flat(), receiver));
  if (wrong.length > 0)
    throw new Error(`${wrong.length} mistakes:\n${wrong.slice(0, SHOWN_MISTAKES).join('\n')}`);
  return found;
}

/** What is sent by the database's account and did not arrive, or the reverse. */
function otherMessages(deliveries: readonly Sent[], receiver: WebhookReceiver): string[] {
  const arrived = new Set(receiver.messages.map(({ id }) => id));
  const wrong = deliveries.filter((delivery) => {
    const hasArrived = arrived.delete(delivery._id);
    return !isDoubtful(delivery) && hasArrived !== (delivery.status === 'delivered');
  });
  return [
    ...wrong.map(({ _id, status }) => `message ${_id} is ${status}, which is not what the receiver knows`),
    ...[...arrived].map((id) => `message ${id} arrived, and is not in the database`),
  ];
}

/** A notifier was killed while it sent it, and it was not true any more when the claim was over. */
const isDoubtful = ({ status, told_at }: Sent): boolean => status === 'cancelled' && told_at !== undefined;
