import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Db } from 'mongodb';
import { MongoClient, MongoNetworkError, MongoServerError, MongoServerSelectionError } from 'mongodb';

export const REPLICA_SET = 'pillwatch';

/** `replSetGetStatus`: there is no configuration yet. */
const NOT_YET_INITIALIZED = 94;
/** `replSetGetStatus`: there is one, and this address is not in it. */
const INVALID_CONFIG = 93;
/** `replSetInitiate`: there is a configuration. */
const ALREADY_INITIALIZED = 23;
const POLL = 25;

/**
 * With the set's name and not `directConnection`: after a restart the driver then waits for the member to
 * become primary again, where a direct connection would send its writes to a member that refuses them.
 */
export function replicaSetUri(port: number): string {
  return `mongodb://127.0.0.1:${port}/pillwatch?replicaSet=${REPLICA_SET}`;
}

/**
 * Waits until the mongod on this port is a primary that takes writes, making it a replica set of one first
 * if it is none yet, or telling the set its new address if the port has changed.
 * @param pid the mongod that is meant: another one may have been quicker to take the port
 * @param check called before every step: throws when there is no more point in waiting
 */
export async function becomePrimary(port: number, pid: number, check: () => void): Promise<void> {
  while (!(await accepts(port))) {
    check();
    await sleep(POLL);
  }
  check();
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 10_000,
  });
  try {
    while (!(await isPrimary(client.db('admin'), pid, `127.0.0.1:${port}`))) {
      check();
      await sleep(POLL);
    }
  } catch (error) {
    check(); // that it has died says more than a lost connection
    throw error;
  } finally {
    await client.close();
  }
}

async function isPrimary(admin: Db, pid: number, host: string): Promise<boolean> {
  try {
    if ((await admin.command({ serverStatus: 1 }))['pid'] !== pid) return false;
    if ((await admin.command({ hello: 1 }))['isWritablePrimary']) return true;
    await configure(admin, host);
    return false;
  } catch (error) {
    // A member that changes its state may hang up on its clients.
    if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError) return false;
    throw error;
  }
}

async function configure(admin: Db, host: string): Promise<void> {
  const members = [{ _id: 0, host }];
  const status = await codeOf(admin.command({ replSetGetStatus: 1 }));
  if (status === NOT_YET_INITIALIZED) {
    const code = await codeOf(admin.command({ replSetInitiate: { _id: REPLICA_SET, members } }));
    // It was still reading its configuration, which takes it up to 30 s after a change of port: it asks
    // whoever has the old one whether that is itself.
    if (code !== undefined && code !== ALREADY_INITIALIZED) {
      throw new Error(`The replica set cannot be made (MongoDB's error ${code})`);
    }
  } else if (status === INVALID_CONFIG) {
    const { config } = await admin.command({ replSetGetConfig: 1 });
    await admin.command({ replSetReconfig: { ...config, members }, force: true });
  }
}

/** The code with which the server refused; undefined if it did not. */
async function codeOf(command: Promise<unknown>): Promise<string | number | undefined> {
  try {
    await command;
    return undefined;
  } catch (error) {
    if (error instanceof MongoServerError && error.code !== undefined) return error.code;
    throw error;
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
