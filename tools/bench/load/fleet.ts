import type { ReportedAction } from '#domain';
import { hashToken } from '#platform';
import { mongo } from 'mongoose';
import { createHash } from 'node:crypto';
import { bigFleetId } from '../fixtures/big-fleet.js';
import type { BodyOf } from './load.js';
import { vitalsOf } from './vitals.js';

const MEDICATIONS = ['Cordrazine', 'Metformin', 'Lisinopril', 'Atorvastatin', 'Levothyroxine', 'Amlodipine'];

/** The n-th bottle of the fleet that sends: known to the load and to what it is sent to without asking. */
export function bottleOf(n: number): {
  _id: mongo.ObjectId;
  user_id: string;
  medication: string;
  token: string;
} {
  const digest = createHash('sha256').update(`bottle ${n}`).digest();
  return {
    _id: new mongo.ObjectId(digest.subarray(0, 12)),
    user_id: `willcross${Math.floor(n / 3)}`,
    medication: MEDICATIONS[n % MEDICATIONS.length]!,
    token: `pwb_${digest.toString('base64url')}`,
  };
}

/** The hub that speaks for the whole fleet. */
export const GATEWAY_TOKEN = `pwg_${createHash('sha256').update('the hub').digest('base64url')}`;

/** A bottle as it stands in the registry. */
export function registered(n: number, at: Date): object {
  const { _id, user_id, medication, token } = bottleOf(n);
  return {
    _id,
    user_id,
    medication,
    time_zone: 'America/New_York',
    registered_at: at,
    token_hash: hashToken(token),
    revoked_token_hashes: [],
    schedule_versions: [],
    pauses: [],
  };
}

const tokens: string[] = [];
const ids: string[] = [];

/** A heartbeat as the simulator sends it, or a hub's batch of them: each of another bottle or another moment. */
export const bodyOf: BodyOf = (n, { bottles, batch = 1, everyOf, empty = false, actions = false }) => {
  const fields = actions ? actionNow(Math.floor((n * batch) / bottles)) : sentNow(empty);
  const type = actions ? 'action' : 'heartbeat';
  if (everyOf !== undefined) {
    // half of each group is opened, half closed: the rounds are too short for the whole fleet to be both
    const turns = [fields, actions ? actionNow(Math.floor((n * batch) / bottles) + 1) : fields] as const;
    const fieldsOf: FieldsOf = (item) => turns[item % 2 === 0 ? 0 : 1](item);
    return batchOf((item) => bigFleetId(((n * batch + item) % bottles) * everyOf), batch, fieldsOf, type);
  }
  if (tokens.length < bottles)
    for (let index = tokens.length; index < bottles; index += 1) {
      const { token, _id } = bottleOf(index);
      tokens.push(token);
      ids.push(_id.toHexString());
    }
  if (batch > 1) return batchOf((item) => ids[(n * batch + item) % bottles]!, batch, fields, type);
  return { token: tokens[n % bottles]!, body: `{${fields(n)}}` };
};

/** The fields of a heartbeat, as JSON. */
type FieldsOf = (n: number) => string;

function sentNow(empty: boolean): FieldsOf {
  const sentAt = `"sent_at":"${new Date().toISOString()}"`;
  if (empty) return () => sentAt;
  return (n) => {
    const { battery_percent, rssi_dbm } = vitalsOf(n);
    return `${sentAt},"battery_percent":${battery_percent},"rssi_dbm":${rssi_dbm}`;
  };
}

/** What a bottle reports that is opened and closed in turn. @param turn how often it has reported */
export function actionOf(
  turn: number,
): Pick<ReportedAction, 'action' | 'pills_taken'> & { mass_of_contents: number; number_of_pills: number } {
  const contents = { mass_of_contents: 12.5, number_of_pills: 25 };
  return turn % 2 === 0
    ? { action: 'opened', ...contents }
    : { action: 'closed', ...contents, pills_taken: 1 };
}

function actionNow(turn: number): FieldsOf {
  const time = new Date().toISOString();
  const fields = JSON.stringify({ ...actionOf(turn), time, sent_at: time }).slice(1, -1);
  return () => fields;
}

function batchOf(
  idOf: (item: number) => string,
  size: number,
  fieldsOf: FieldsOf,
  type: string,
): ReturnType<BodyOf> {
  const items = Array.from(
    { length: size },
    (_, item) => `{"type":"${type}","bottle_id":"${idOf(item)}",${fieldsOf(item)}}`,
  );
  return { token: GATEWAY_TOKEN, body: `{"items":[${items.join(',')}]}` };
}
