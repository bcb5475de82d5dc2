/**
 * Baseline: node:http and the driver, nothing else. Reads the body, looks the token's SHA-256 up in a map of the whole
 * fleet, and makes the same durable writes in groups, two at a time. No validation to speak of, no framework.
 */
import { mongo } from 'mongoose';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Vitals } from '../load/vitals.js';
import { GroupWriter } from './group-writer.js';
import { hashToken } from '#platform';

interface Bottle {
  _id: mongo.ObjectId;
  user_id: string;
  medication: string;
  token_hash: string;
}

const client = await new mongo.MongoClient(process.env['MONGODB_URI']!, {
  writeConcern: { w: 'majority', journal: true },
}).connect();
const db = client.db();
const fleet = new Map<string, Bottle>();
const fields = { token_hash: 1, user_id: 1, medication: 1 };
for await (const bottle of db.collection<Bottle>('bottles').find({}, { projection: fields }))
  fleet.set(bottle.token_hash, bottle);
const writer = new GroupWriter(db);

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

function heartbeat(request: IncomingMessage, response: ServerResponse, text: string): void {
  const bottle = fleet.get(hashToken(request.headers.authorization?.slice('Bearer '.length) ?? ''));
  if (!bottle) return answer(response, 401);
  const { sent_at, ...vitals } = JSON.parse(text) as { sent_at?: unknown } & Partial<Vitals>;
  if (sent_at !== undefined && typeof sent_at !== 'string') return answer(response, 400);
  if (Object.values(vitals).some((value) => typeof value !== 'number')) return answer(response, 400);
  const { _id: bottle_id, user_id, medication } = bottle;
  writer.add({ _id: new mongo.ObjectId(), bottle_id, user_id, medication, ...vitals }, (error) =>
    answer(response, error === undefined ? 204 : 503),
  );
}

const server = createServer((request, response) => {
  if (request.method !== 'POST') return answer(response, 200);
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => (text += chunk));
  request.on('end', () => heartbeat(request, response, text));
});
server.listen(Number(process.env['BASELINE_PORT']), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
