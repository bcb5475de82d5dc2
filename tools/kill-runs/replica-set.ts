import { mongo } from 'mongoose';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DataFolder, openDataFolder } from '../../libs/platform/src/embedded-database/data-folder.js';
import { findMongod } from '../../libs/platform/src/embedded-database/find-mongod.js';
import { freePort } from '../../libs/platform/src/embedded-database/free-port.js';
import {
  type MongodProcess,
  spawnMongod,
  stopWithProcess,
} from '../../libs/platform/src/embedded-database/mongod-process.js';
import { REPLICA_SET } from '../../libs/platform/src/embedded-database/replica-set.js';
import { eventually } from '../harness/eventually.js';
import { holdStill } from '../harness/service-process.js';

const MEMBERS = 3;
/** `replSetGetStatus`: it has a configuration that does not name it. */
const INVALID_CONFIG = 93;
const READY_MS = 60_000;
/** A tenth of MongoDB's default before an election, so that a run takes minutes. */
const SETTINGS = { electionTimeoutMillis: 1_000, heartbeatIntervalMillis: 500 };

interface Member {
  host: string;
  port: number;
  folder: DataFolder;
  mongod: MongodProcess;
  /** Connected to this member only, whatever its state. */
  client: mongo.MongoClient;
}

/** Three mongods as one replica set, started as the product starts its own. */
export class ReplicaSet {
  private readonly forgetProcess: () => void;

  private constructor(
    private readonly folder: string,
    private readonly binary: string,
    private readonly members: Member[],
  ) {
    this.forgetProcess = stopWithProcess(
      () => this.stop(),
      () => this.members.forEach(({ mongod }) => mongod.signal('SIGKILL')),
    );
  }

  /**
   * Returns when all members run and one accepts writes.
   *
   * @param snapshot what {@link snapshot} copied; the set contains that, wherever the one before was
   */
  static async start(snapshot?: string): Promise<ReplicaSet> {
    const folder = await mkdtemp(join(tmpdir(), 'pillwatch-set-'));
    const binary = await findMongod();
    const password = randomBytes(48).toString('hex');
    const members: Member[] = [];
    for (let index = 0; index < MEMBERS; index += 1) {
      const data = await memberFolder(join(folder, String(index)), password);
      if (snapshot !== undefined && index === 0) await cp(snapshot, data.dbPath, { recursive: true });
      const port = await freePort();
      const mongod = await spawn(binary, port, data);
      const host = `127.0.0.1:${port}`;
      const client = new mongo.MongoClient(uriOf(host, '', password, 'directConnection=true'), {
        serverSelectionTimeoutMS: READY_MS,
      });
      members.push({ host, port, folder: data, mongod, client });
    }
    const set = new ReplicaSet(folder, binary, members);
    try {
      await (snapshot === undefined ? set.initiate() : set.reconfigure());
      await set.whole();
      return set;
    } catch (error) {
      await set.stop();
      throw error;
    }
  }

  /** The database `pillwatch` of the set. */
  get uri(): string {
    const hosts = this.members.map(({ host }) => host).join(',');
    return uriOf(hosts, 'pillwatch', this.members[0]!.folder.password, `replicaSet=${REPLICA_SET}`);
  }

  /** Sends `kill -9` to a member. @returns restarts it, and resolves when the set is whole again */
  async kill(role: 'primary' | 'secondary'): Promise<() => Promise<void>> {
    const member = await eventually(() => this.member(role), READY_MS, 20);
    member.mongod.signal('SIGKILL');
    await member.mongod.exited;
    return async () => {
      member.mongod = await spawn(this.binary, member.port, member.folder);
      await this.whole();
    };
  }

  /** Suspends a member. @returns resumes it, and resolves when the set is whole again */
  async pause(role: 'primary' | 'secondary'): Promise<() => Promise<void>> {
    const { mongod } = await eventually(() => this.member(role), READY_MS, 20);
    await holdStill(mongod.pid);
    return async () => {
      mongod.signal('SIGCONT');
      await this.whole();
    };
  }

  /**
   * Copies the data files of a secondary, as an operator takes a snapshot: it first has everything that was acknowledged
   * before the call, and stands still meanwhile. The other two go on.
   */
  async snapshot(target: string): Promise<void> {
    const [primary, secondary] = [await this.member('primary'), await this.member('secondary')];
    const acknowledged = await lastWrite(primary);
    await eventually(async () => {
      if ((await lastWrite(secondary)).lessThan(acknowledged)) throw new Error('the secondary is behind');
    }, READY_MS);
    const admin = secondary.client.db('admin');
    await admin.command({ fsync: 1, lock: true });
    try {
      await cp(secondary.folder.dbPath, target, { recursive: true });
    } finally {
      await admin.command({ fsyncUnlock: 1 });
    }
  }

  /** Kills all members at once. */
  async lose(): Promise<void> {
    for (const { mongod } of this.members) mongod.signal('SIGKILL');
    await Promise.all(this.members.map(({ mongod }) => mongod.exited));
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map(({ client }) => client.close()));
    await Promise.all(this.members.map(({ mongod }) => mongod.terminate()));
    this.forgetProcess();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async initiate(): Promise<void> {
    const admins = this.members.map(({ client }) => client.db('admin'));
    // the first member asks the others, so all must be listening
    await Promise.all(admins.map((admin) => admin.command({ ping: 1 })));
    const members = this.members.map(({ host }, _id) => ({ _id, host }));
    await admins[0]!.command({ replSetInitiate: { _id: REPLICA_SET, members, settings: SETTINGS } });
  }

  /** The first member knows the set by its former addresses; the others copy its data. */
  private async reconfigure(): Promise<void> {
    const admins = this.members.map(({ client }) => client.db('admin'));
    await Promise.all(admins.map((admin) => admin.command({ ping: 1 })));
    const first = admins[0]!;
    await eventually(async () => {
      const status = await first.command({ replSetGetStatus: 1 }).catch(({ code }: { code: number }) => code);
      if (status !== INVALID_CONFIG) throw new Error('the first member still looks for its set');
    }, READY_MS);
    const { config } = (await first.command({ replSetGetConfig: 1 })) as { config: object };
    const members = this.members.map(({ host }, _id) => ({ _id, host }));
    await first.command({ replSetReconfig: { ...config, members }, force: true });
  }

  /** Waits until one member is primary and the others follow it. */
  private async whole(): Promise<void> {
    await eventually(
      async () => {
        const roles = await Promise.all(this.members.map(roleOf));
        if (roles.sort().join() !== 'primary,secondary,secondary')
          throw new Error(`the set is not whole: ${roles.join()}`);
      },
      READY_MS,
      50,
    );
  }

  private async member(role: 'primary' | 'secondary'): Promise<Member> {
    const roles = await Promise.all(this.members.map(roleOf));
    const found = this.members.find((_, index) => roles[index] === role);
    if (!found) throw new Error(`there is no ${role}: ${roles.join()}`);
    return found;
  }
}

/** All members have one key, as they are each other's clients. */
async function memberFolder(folder: string, password: string): Promise<DataFolder> {
  await mkdir(join(folder, 'mongod'), { recursive: true });
  await writeFile(join(folder, 'mongod', 'key'), password, { mode: 0o600 });
  return openDataFolder(folder);
}

function uriOf(hosts: string, database: string, password: string, options: string): string {
  return `mongodb://__system:${password}@${hosts}/${database}?authSource=local&${options}`;
}

function spawn(binary: string, port: number, folder: DataFolder): Promise<MongodProcess> {
  return spawnMongod({ binary, port, folder, cacheSizeGb: 0.25 });
}

async function lastWrite({ client }: Member): Promise<mongo.Timestamp> {
  const hello = await client.db('admin').command({ hello: 1 });
  return (hello['lastWrite'] as { opTime: { ts: mongo.Timestamp } }).opTime.ts;
}

async function roleOf({ client }: Member): Promise<'primary' | 'secondary' | 'other' | 'down'> {
  try {
    const hello = await client.db('admin').command({ hello: 1 }, { timeoutMS: 1_000 });
    if (hello['isWritablePrimary'] === true) return 'primary';
    return hello['secondary'] === true ? 'secondary' : 'other';
  } catch {
    return 'down';
  }
}
