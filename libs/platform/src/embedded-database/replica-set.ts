import { connect } from 'node:net';
import { join } from 'node:path';
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
 * With the set's name instead of `directConnection`: after a restart the driver waits until the member is primary
 * again; a direct connection would send writes to a member that refuses them.
 */
export function replicaSetUri(port: number, password: string): string {
  return uriOf(`127.0.0.1:${port}`, password, `replicaSet=${REPLICA_SET}`);
}

/** By mongod's Unix socket in this folder. Direct, as the set's name would lead the driver to its TCP port. */
export function socketUri(folder: string, port: number, password: string): string {
  const host = encodeURIComponent(join(folder, `mongodb-${port}.sock`));
  return uriOf(host, password, 'directConnection=true');
}

/** As `__system`, whose password is the content of the keyFile, and who is in no database: old data works too. */
function uriOf(host: string, password: string, options: string): string {
  return `mongodb://__system:${password}@${host}/pillwatch?authSource=local&${options}`;
}

/**
 * Waits until the mongod on this port is a primary that accepts writes. Initiates the replica set if there is none, and
 * reconfigures it if the port has changed.
 * @param pid the expected mongod; another one may have taken the port first
 * @param check called before every step; throws if waiting is pointless
 */
export async function becomePrimary(
  port: number,
  password: string,
  pid: number,
  check: () => void,
): Promise<void> {
  while (!(await accepts(port))) {
    check();
    await sleep(POLL);
  }
  check();
  const client = new MongoClient(uriOf(`127.0.0.1:${port}`, password, 'directConnection=true'), {
    serverSelectionTimeoutMS: 10_000,
  });
  try {
    while (!(await isPrimary(client.db('admin'), pid, `127.0.0.1:${port}`))) {
      check();
      await sleep(POLL);
    }
  } catch (error) {
    check(); // its death is a better reason than a lost connection
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
    // a member that changes its state may close its connections
    if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError) return false;
    throw error;
  }
}

async function configure(admin: Db, host: string): Promise<void> {
  const members = [{ _id: 0, host }];
  const status = await codeOf(admin.command({ replSetGetStatus: 1 }));
  if (status === NOT_YET_INITIALIZED) {
    const code = await codeOf(admin.command({ replSetInitiate: { _id: REPLICA_SET, members } }));
    // it was still reading its configuration, which takes up to 30 s after a change of port: it checks whether the
    // process on the old port is itself
    if (code !== undefined && code !== ALREADY_INITIALIZED) {
      throw new Error(`The replica set cannot be initiated (MongoDB error ${code})`);
    }
  } else if (status === INVALID_CONFIG) {
    const { config } = await admin.command({ replSetGetConfig: 1 });
    await admin.command({ replSetReconfig: { ...config, members }, force: true });
  }
}

/** The server's error code; undefined if the command succeeded. */
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
