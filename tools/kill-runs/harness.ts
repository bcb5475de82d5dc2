import { mongo } from 'mongoose';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../libs/platform/src/embedded-database/free-port.js';
import { ServiceProcess } from '../harness/service-process.js';
import { ServiceProcesses } from '../harness/service-processes.js';
import { SmtpSink } from '../harness/smtp-sink.js';
import { Journal } from './journal.js';
import { SETTINGS } from './bottles.js';
import { ReplicaSet } from './replica-set.js';
import { WEBHOOK_SECRET } from '../harness/webhook-receiver.js';

/** The receiver's longest delay before an answer, so that kills find unanswered messages. Milliseconds. */
const HOLD_MS = 300;

/** The services on a replica set of three members, with a receiver that can be killed as well. */
export class KillRunHarness extends ServiceProcesses {
  private constructor(
    private readonly folder: string,
    readonly set: ReplicaSet,
    readonly client: mongo.MongoClient,
    readonly receiver: ServiceProcess,
    readonly journal: Journal,
    private readonly mails: SmtpSink,
  ) {
    const env = {
      ...SETTINGS,
      LINK_SECRET: 'secret-of-the-links-in-the-messages',
      SMTP_URL: mails.url,
      SMTP_ALLOW_PLAIN: 'true',
      MAIL_FROM: 'pillwatch@example.test',
    };
    super({ databaseUri: set.uri, webhookUrl: `${receiver.url}/hook` }, env);
  }

  static async start(): Promise<KillRunHarness> {
    const folder = await mkdtemp(join(tmpdir(), 'pillwatch-kills-'));
    const journal = new Journal(join(folder, 'journal.jsonl'));
    const settings = { RECEIVER_JOURNAL: journal.path, RECEIVER_HOLD: String(HOLD_MS), WEBHOOK_SECRET };
    const script = 'dist/tools/kill-runs/receiver-process.js';
    const receiver = new ServiceProcess('receiver', await freePort(), settings, script);
    const [set, mails] = await Promise.all([
      ReplicaSet.start(),
      SmtpSink.start((mail) => journal.recordMail(mail)),
    ]);
    const harness = new KillRunHarness(folder, set, new mongo.MongoClient(set.uri), receiver, journal, mails);
    try {
      await receiver.start();
      return harness;
    } catch (error) {
      await harness.stop();
      throw error;
    }
  }

  get db(): mongo.Db {
    return this.client.db();
  }

  async stop(): Promise<void> {
    await this.dispose();
    await this.receiver.dispose();
    await this.mails.stop();
    this.journal.close();
    await this.client.close();
    await this.set.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
