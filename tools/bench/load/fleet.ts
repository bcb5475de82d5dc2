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
export const bodyOf: BodyOf = (n, { bottles, batch = 1, everyOf, empty = false }) => {
  const fields = sentNow(empty);
  if (everyOf !== undefined)
    return batchOf((item) => bigFleetId(((n * batch + item) % bottles) * everyOf), batch, fields);
  if (tokens.length < bottles)
    for (let index = tokens.length; index < bottles; index += 1) {
      const { token, _id } = bottleOf(index);
      tokens.push(token);
      ids.push(_id.toHexString());
    }
  if (batch > 1) return batchOf((item) => ids[(n * batch + item) % bottles]!, batch, fields);
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

function batchOf(idOf: (item: number) => string, size: number, fieldsOf: FieldsOf): ReturnType<BodyOf> {
  const items = Array.from(
    { length: size },
    (_, item) => `{"type":"heartbeat","bottle_id":"${idOf(item)}",${fieldsOf(item)}}`,
  );
  return { token: GATEWAY_TOKEN, body: `{"items":[${items.join(',')}]}` };
}
