/**
 * Baseline: node:http and the driver, nothing else. Reads the body, looks the token's SHA-256 up in a map of the whole
 * fleet, and makes the same durable writes in groups, two at a time. No validation to speak of, no framework.
 */
import { mongo } from 'mongoose';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Vitals } from '../load/vitals.js';
import {
  type ActionDocument,
  GroupWriter,
  type HeartbeatDocument,
  writeActions,
  writeHeartbeats,
} from './group-writer.js';
import { actionId, type ReportedAction } from '#domain';
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
const heartbeats = new GroupWriter<Omit<HeartbeatDocument, 'time'>>((documents, time) =>
  writeHeartbeats(
    db,
    documents.map((document) => ({ ...document, time })),
    time,
  ),
);
const actions = new GroupWriter<Omit<ActionDocument, 'received_at'>>((documents, received_at) =>
  writeActions(
    db,
    documents.map((document) => ({ ...document, received_at })),
  ),
);

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

function report(request: IncomingMessage, response: ServerResponse, text: string): void {
  const bottle = fleet.get(hashToken(request.headers.authorization?.slice('Bearer '.length) ?? ''));
  if (!bottle) return answer(response, 401);
  if (request.url === '/v1/actions') action(bottle, response, text);
  else heartbeat(bottle, response, text);
}

function action(bottle: Bottle, response: ServerResponse, text: string): void {
  const { sent_at: _, ...reported } = JSON.parse(text) as ReportedAction & { sent_at?: unknown };
  const time = new Date(reported.time);
  if (!['opened', 'closed'].includes(reported.action) || Number.isNaN(time.getTime()))
    return answer(response, 400);
  const { _id: bottle_id, user_id, medication } = bottle;
  const _id = new mongo.ObjectId(actionId(bottle_id.toHexString(), { ...reported, time }));
  const document = { _id, bottle_id, user_id, medication, ...reported, time };
  actions.add(document as Omit<ActionDocument, 'received_at'>, (error) =>
    answer(response, error === undefined ? 201 : 503),
  );
}

function heartbeat(bottle: Bottle, response: ServerResponse, text: string): void {
  const { sent_at, ...vitals } = JSON.parse(text) as { sent_at?: unknown } & Partial<Vitals>;
  if (sent_at !== undefined && typeof sent_at !== 'string') return answer(response, 400);
  if (Object.values(vitals).some((value) => typeof value !== 'number')) return answer(response, 400);
  const { _id: bottle_id, user_id, medication } = bottle;
  heartbeats.add({ _id: new mongo.ObjectId(), bottle_id, user_id, medication, ...vitals }, (error) =>
    answer(response, error === undefined ? 204 : 503),
  );
}

const server = createServer((request, response) => {
  if (request.method !== 'POST') return answer(response, 200);
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => (text += chunk));
  request.on('end', () => report(request, response, text));
});
server.listen(Number(process.env['BASELINE_PORT']), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
