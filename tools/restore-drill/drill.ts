import { mongo } from 'mongoose';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../harness/eventually.js';
import { missingFromLog, PersistentBottle } from '../harness/persistent-bottle.js';
import { ADMIN_TOKEN } from '../harness/services.js';
import type { ServiceName, ServiceProcess } from '../harness/service-process.js';
import { ServiceProcesses } from '../harness/service-processes.js';
import { WEBHOOK_SECRET, type ReceivedMessage, WebhookReceiver } from '../harness/webhook-receiver.js';
import { pendingWork } from '../kill-runs/expectations.js';
import { contentOf } from '../kill-runs/journal.js';
import { ReplicaSet } from '../kill-runs/replica-set.js';
import { documentsAbout } from './documents-about.js';

/** Alerts are raised within seconds, but not within the time that a snapshot takes. */
const SETTINGS = { OPEN_BOTTLE_AFTER: '20s', SILENT_BOTTLE_AFTER: '60s' };
const HEARTBEAT_MS = 500;
/** Bottles of each sort. */
const EACH = 4;
const PERSON = 'erased-person';
const SETTLED_WITHIN_MS = 300_000;
const SERVICES = ['support-api', 'device-api', 'notifier'] as const;

type Phase = 'before' | 'meanwhile' | 'after' | 'restored';

/** Counts of a drill. */
export interface DrillResult {
  /**
   * Reports that were acknowledged before the snapshot, sent or acknowledged while it was taken, sent after it, and
   * acknowledged after the restore; how many are there.
   */
  reports: Record<Phase, { acknowledged: number; there: number }>;
  /** Reports that bottles made while nothing ran, and kept; how many are there. */
  kept: { made: number; there: number };
  /** Bottles that were registered after the snapshot, and how many of their tokens are still accepted. */
  registeredAfter: { bottles: number; accepted: number };
  notifications: {
    /** Received before the snapshot, and of these again after the restore. */
    before: number;
    beforeAgain: number;
    /** Received between the snapshot and the loss. */
    after: number;
    /** Of these, received again under the same `webhook-id`, and under another one. */
    afterAgain: number;
    afterAgainOtherwise: number;
    /** First received after the restore. */
    fresh: number;
  };
  /** Documents about a bottle and a person that were erased after the snapshot: in the backup, and in the end. */
  erased: { inBackup: number; left: number };
  snapshotMs: number;
  /** From the loss until all services were ready. */
  restoreMs: number;
}

/**
 * Takes a snapshot of a running replica set of three under load, loses the set, restores the snapshot elsewhere, starts
 * the services on it, and counts what is there, what is gone and what is sent again.
 */
export async function restoreDrill(): Promise<DrillResult> {
  const folder = await mkdtemp(join(tmpdir(), 'pillwatch-drill-'));
  const receiver = await WebhookReceiver.start({ secret: WEBHOOK_SECRET });
  const drill = new Drill(folder, receiver);
  try {
    return await drill.run();
  } finally {
    await drill.stop();
    await receiver.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

class Drill {
  private readonly sets: ReplicaSet[] = [];
  private readonly processes: ServiceProcesses[] = [];
  private readonly clients: mongo.MongoClient[] = [];
  private readonly ports = new Map<ServiceName, number>();
  private readonly end = new AbortController();
  private readonly reporting: Promise<void>[] = [];
  private readonly acknowledged: Record<Phase, Set<string>> = {
    before: new Set(),
    meanwhile: new Set(),
    after: new Set(),
    restored: new Set(),
  };
  private phase: Phase = 'before';
  /** Milliseconds of this process. */
  private snapshotEndedAt = Infinity;
  private support!: ServiceProcess;
  private target = '';

  constructor(
    private readonly folder: string,
    private readonly receiver: WebhookReceiver,
  ) {}

  async run(): Promise<DrillResult> {
    const set = await this.startSet();
    await this.startServices(set);

    // before: alerts that were sent, alerts that wait for the receiver, and lids that were just opened
    const erasedBottle = await this.register(PERSON, false);
    await erasedBottle.open();
    const erasedOther = await this.register('somebody', false);
    const sent = await this.registerSome();
    await this.openAll(sent);
    this.keepReporting([erasedBottle, erasedOther, ...sent]);
    const [openedAfter, offline] = [await this.registerSome(), await this.registerSome()];
    this.keepReporting([...openedAfter, ...offline]);
    await this.received([erasedBottle, ...sent]);
    const before = [...this.receiver.messages];
    await this.receiver.behave('fails');
    // opened only now: their alerts are raised when the receiver fails
    const waiting = await this.registerSome();
    await this.openAll(waiting);
    this.keepReporting(waiting);
    await this.queued(await this.connect(set), waiting);
    const open = await this.registerSome();
    await this.openAll(open);
    this.keepReporting(open);

    this.phase = 'meanwhile';
    const began = performance.now();
    const snapshot = join(this.folder, 'snapshot');
    await set.snapshot(snapshot);
    this.snapshotEndedAt = performance.now();
    this.phase = 'after';

    // after: everything goes on
    await this.receiver.behave('works');
    await this.openAll(openedAfter);
    const registeredAfter = await this.registerSome();
    await Promise.all(registeredAfter.map((bottle) => bottle.heartbeat()));
    await this.erase(`/v1/bottles/${erasedOther.id}`);
    await this.erase(`/v1/people/${PERSON}`);
    await this.received([...waiting, ...open, ...openedAfter]);
    const after = this.receiver.messages.slice(before.length);

    // the loss, in which some bottles are opened
    const lostAt = performance.now();
    await set.lose();
    await this.stopServices();
    const received = this.receiver.requests.length;
    const opening = offline.map((bottle) => bottle.open());
    const restoredSet = await this.startSet(snapshot);
    const db = await this.connect(restoredSet);
    const inBackup = await documentsAbout(db, [erasedOther.id, PERSON, erasedBottle.id]);
    this.phase = 'restored';
    await this.startServices(restoredSet);
    const restoreMs = performance.now() - lostAt;
    await Promise.all(opening);
    const accepted = await this.countAccepted(registeredAfter);
    await this.received([...open, ...offline], received);
    await eventually(
      async () => {
        const pending = await pendingWork(db);
        if (pending.length > 0) throw new Error(`not settled: ${pending.join()}`);
      },
      SETTLED_WITHIN_MS,
      500,
    );
    this.end.abort();
    await Promise.all(this.reporting);

    const again = this.receiver.requests.slice(received);
    const openings = await db
      .collection('bottle_actions')
      .countDocuments({ bottle_id: { $in: offline.map(({ id }) => new mongo.ObjectId(id)) } });
    return {
      reports: await this.countReports(),
      kept: { made: offline.length, there: openings },
      registeredAfter: { bottles: registeredAfter.length, accepted },
      notifications: countAgain(before, after, again),
      erased: { inBackup, left: await documentsAbout(db, [erasedOther.id, PERSON, erasedBottle.id]) },
      snapshotMs: this.snapshotEndedAt - began,
      restoreMs,
    };
  }

  async stop(): Promise<void> {
    this.end.abort();
    await this.stopServices();
    await Promise.allSettled(this.reporting);
    await Promise.all(this.clients.map((client) => client.close()));
    await Promise.all(this.sets.map((set) => set.stop()));
  }

  private async startSet(snapshot?: string): Promise<ReplicaSet> {
    const set = await ReplicaSet.start(snapshot);
    this.sets.push(set);
    return set;
  }

  private async connect(set: ReplicaSet): Promise<mongo.Db> {
    const client = await new mongo.MongoClient(set.uri).connect();
    this.clients.push(client);
    return client.db();
  }

  /** One of each, at the addresses of those before. */
  private async startServices(set: ReplicaSet): Promise<void> {
    const where = { databaseUri: set.uri, webhookUrl: this.receiver.url };
    const erasures = { ERASURES_FILE: join(this.folder, 'erasures.jsonl') };
    const processes = new ServiceProcesses(where, { ...SETTINGS, ...erasures });
    this.processes.push(processes);
    for (const name of SERVICES) {
      const port = this.ports.get(name);
      const service = await processes.run(name, {}, port === undefined ? {} : { port });
      this.ports.set(name, Number(new URL(service.url).port));
      if (name === 'support-api') this.support = service;
      if (name === 'device-api') this.target = service.url;
    }
  }

  private async stopServices(): Promise<void> {
    await Promise.all(this.processes.splice(0).map((processes) => processes.dispose()));
  }

  /** @param counted false if its reports will be erased */
  private async register(userId?: string, counted = true): Promise<PersistentBottle> {
    const more = userId === undefined ? {} : { user_id: userId };
    const [registered] = await this.processes[0]!.register(this.support, 1, more);
    return new PersistentBottle(registered!.id, registered!.token, {
      targets: [this.target],
      acknowledged: (id, sentAt) => {
        if (counted) this.acknowledged[this.phaseOf(sentAt)].add(id);
      },
      signal: this.end.signal,
    });
  }

  /** Of a report that is acknowledged now: one that was sent before the snapshot's end may be in the snapshot. */
  private phaseOf(sentAt: number): Phase {
    return this.phase === 'after' && sentAt < this.snapshotEndedAt ? 'meanwhile' : this.phase;
  }

  private registerSome(): Promise<PersistentBottle[]> {
    return Promise.all(Array.from({ length: EACH }, () => this.register()));
  }

  private async openAll(bottles: readonly PersistentBottle[]): Promise<void> {
    await Promise.all(bottles.map((bottle) => bottle.open()));
  }

  /** The load: every bottle sends heartbeats, and repeats each until it is acknowledged. */
  private keepReporting(bottles: readonly PersistentBottle[]): void {
    // an erased bottle is refused
    for (const bottle of bottles)
      this.reporting.push(bottle.keepReporting(HEARTBEAT_MS).catch(() => undefined));
  }

  /** Waits until the alert of each bottle was received. @param from only after so many requests */
  private async received(bottles: readonly PersistentBottle[], from = 0): Promise<void> {
    await eventually(() => {
      const ids = new Set(this.receiver.requests.slice(from).map(({ data }) => data.bottle_id));
      const missing = bottles.filter(({ id }) => !ids.has(id));
      if (missing.length > 0) throw new Error(`${missing.length} notifications were not received`);
    }, SETTLED_WITHIN_MS);
  }

  /** Waits until a notification of each bottle is queued. */
  private async queued(db: mongo.Db, bottles: readonly PersistentBottle[]): Promise<void> {
    const bottle_id = { $in: bottles.map(({ id }) => new mongo.ObjectId(id)) };
    await eventually(async () => {
      const count = await db.collection('deliveries').countDocuments({ bottle_id });
      if (count < bottles.length) throw new Error(`only ${count} notifications are queued`);
    }, SETTLED_WITHIN_MS);
  }

  private async erase(path: string): Promise<void> {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const answer = await fetch(`${this.support.url}${path}`, { method: 'DELETE', headers });
    if (!answer.ok) throw new Error(`DELETE ${path}: ${answer.status} ${await answer.text()}`);
  }

  /** How many of these bottles' tokens device-api accepts. */
  private async countAccepted(bottles: readonly PersistentBottle[]): Promise<number> {
    const accepted = await Promise.all(
      bottles.map((bottle) =>
        bottle.heartbeat().then(
          () => true,
          () => false,
        ),
      ),
    );
    return accepted.filter(Boolean).length;
  }

  private async countReports(): Promise<DrillResult['reports']> {
    const count = async (phase: Phase): Promise<{ acknowledged: number; there: number }> => {
      const acknowledged = this.acknowledged[phase];
      const missing = await missingFromLog(this.clients.at(-1)!.db(), acknowledged);
      return { acknowledged: acknowledged.size, there: acknowledged.size - missing.length };
    };
    return {
      before: await count('before'),
      meanwhile: await count('meanwhile'),
      after: await count('after'),
      restored: await count('restored'),
    };
  }
}

function countAgain(
  before: readonly ReceivedMessage[],
  after: readonly ReceivedMessage[],
  again: readonly ReceivedMessage[],
): DrillResult['notifications'] {
  const [idsBefore, idsAfter] = [before, after].map((messages) => new Set(messages.map(({ id }) => id)));
  const contents = new Set([...before, ...after].map(({ data }) => contentOf(data)));
  const isOf = (ids: Set<string> | undefined, { id }: ReceivedMessage): boolean => ids?.has(id) ?? false;
  const others = again.filter((message) => !isOf(idsBefore, message) && !isOf(idsAfter, message));
  return {
    before: before.length,
    beforeAgain: again.filter((message) => isOf(idsBefore, message)).length,
    after: after.length,
    afterAgain: again.filter((message) => isOf(idsAfter, message)).length,
    afterAgainOtherwise: others.filter((message) => contents.has(contentOf(message.data))).length,
    fresh: others.filter((message) => !contents.has(contentOf(message.data))).length,
  };
}

/** What differs from docs/operations.md, one sentence each. */
export function faultsOf({ reports, kept, registeredAfter, notifications, erased }: DrillResult): string[] {
  const wrong: [boolean, string][] = [
    [reports.before.there < reports.before.acknowledged, 'reports from before the snapshot are gone'],
    [reports.after.there > 0, 'reports from after the snapshot are there'],
    [reports.restored.there < reports.restored.acknowledged, 'reports from after the restore are gone'],
    [kept.there < kept.made, 'reports that bottles kept did not arrive'],
    [registeredAfter.accepted > 0, 'tokens of bottles that are gone are accepted'],
    [notifications.beforeAgain > 0, 'what was sent before the snapshot was sent again'],
    [notifications.afterAgainOtherwise > 0, 'a notification was sent again under another id'],
    [erased.inBackup === 0, 'the backup has nothing that was erased'],
    [erased.left > 0, 'erased data is there'],
  ];
  return wrong.filter(([is]) => is).map(([, sentence]) => sentence);
}
