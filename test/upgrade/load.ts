import { setTimeout as sleep } from 'node:timers/promises';
import { PersistentBottle } from '../../tools/harness/persistent-bottle.js';
import { type Allowed, allowedSilences } from '../../tools/kill-runs/expectations.js';
import type { Content } from '../../tools/kill-runs/journal.js';
import { nextMinute, wallClockTime } from '../../tools/harness/wall-clock.js';

/** Settings under which alerts are raised within seconds. */
export const SETTINGS = { OPEN_BOTTLE_AFTER: '4s', SILENT_BOTTLE_AFTER: '24s' };
const SILENT_AFTER_MS = 24_000;
const HEARTBEAT_MS = 4_000;
const ZONE = 'Europe/Berlin';
/** A bottle reports for so long before its dose is due. Milliseconds. */
const BEFORE_DOSE_MS = 40_000;

/** What a bottle does. */
type Script =
  | 'closedAtOnce'
  | 'closedAfterAlert'
  | 'closedInTheEnd'
  | 'silentForAWhile'
  | 'silentUntilTheEnd'
  | 'takenOnTime'
  | 'takenLate'
  | 'notTaken'
  | 'mailedWhenOpen';

interface Options {
  /** Addresses of device-api. */
  targets: readonly string[];
  /** Registers a bottle. @param more of its registration */
  register: (more?: object) => Promise<{ id: string; token: string }>;
  /** Stores a person with an e-mail address. */
  addPerson: (userId: string, email: string) => Promise<void>;
  /** Resolves when this has been received. */
  received: (content: Content) => Promise<void>;
  /** Called with the id of each acknowledged report. */
  acknowledged: (id: string) => void;
}

/**
 * Bottles that cause alerts and end them, and the notifications that must follow: `BOTTLE KIND EVENT` by webhook, and
 * `ADDRESS N` for the Nth mail to an address.
 */
export class UpgradeLoad {
  readonly expected = new Set<Content>();
  /** User ids. */
  readonly people: string[] = [];
  private finished: () => void = () => undefined;
  private readonly ending = new Promise<void>((resolve) => (this.finished = resolve));
  private readonly end = new AbortController();
  private readonly reporting: Promise<void>[] = [];
  private readonly runs: Promise<void>[] = [];
  private readonly all: PersistentBottle[] = [];

  constructor(private readonly options: Options) {}

  /** Bottles whose alerts begin and end within half a minute, and bottles whose alerts last until {@link finish}. */
  async add(): Promise<void> {
    const scripts: Script[] = [
      'closedAtOnce',
      'closedAfterAlert',
      'closedInTheEnd',
      'silentForAWhile',
      'silentUntilTheEnd',
    ];
    await Promise.all([...scripts.map((script) => this.start(script)), this.addMailed()]);
  }

  /** Bottles with a dose that is due within 100 seconds. */
  async addDoses(now: Date): Promise<void> {
    const slot = wallClockTime(nextMinute(now, BEFORE_DOSE_MS), ZONE);
    const day = { kind: 'times_of_day', times: [slot], early_window: '2m', late_after: '5s' };
    const short = { schedule: { ...day, missed_after: '45s' } };
    const long = { schedule: { ...day, missed_after: '20m' } };
    await Promise.all([
      this.start('takenOnTime', long),
      this.start('takenLate', long),
      this.start('notTaken', short),
    ]);
  }

  /**
   * Ends the alerts that still last, and returns when every bottle's notifications have been received, or have been waited
   * for in vain: one that is lost cuts no other short.
   */
  async finish(): Promise<void> {
    this.finished();
    await Promise.allSettled(this.runs);
  }

  /** The notifications about silences that the bottles did not mean. */
  get allowedSilences(): Allowed {
    return allowedSilences(this.all, SILENT_AFTER_MS);
  }

  /** Stops all reports. */
  async stop(): Promise<void> {
    this.end.abort();
    await Promise.all(this.reporting);
  }

  /** A person of their own for each, as several messages to one person may be one mail. */
  private async addMailed(): Promise<void> {
    const user_id = `mailed-${this.people.length + 1}`;
    this.people.push(user_id);
    const email = `${user_id}@example.org`;
    await this.options.addPerson(user_id, email);
    await this.start('mailedWhenOpen', { user_id }, email);
  }

  private async start(script: Script, more: object = {}, email = ''): Promise<void> {
    const { register, targets, acknowledged } = this.options;
    const { id, token } = await register({ time_zone: ZONE, ...more });
    const bottle = new PersistentBottle(id, token, { targets, acknowledged, signal: this.end.signal });
    this.all.push(bottle);
    this.runs.push(this[script](bottle, email));
  }

  private async closedAtOnce(bottle: PersistentBottle): Promise<void> {
    await bottle.open();
    await bottle.close();
    this.keepReporting(bottle);
  }

  private async closedAfterAlert(bottle: PersistentBottle): Promise<void> {
    await this.leftOpen(bottle);
    await bottle.close();
    await this.expectMessage(bottle, 'bottle_open resolved');
  }

  private async closedInTheEnd(bottle: PersistentBottle): Promise<void> {
    await this.leftOpen(bottle);
    await this.ending;
    await bottle.close();
    await this.expectMessage(bottle, 'bottle_open resolved');
  }

  private async leftOpen(bottle: PersistentBottle): Promise<void> {
    await bottle.open();
    this.keepReporting(bottle);
    await this.expectMessage(bottle, 'bottle_open raised');
  }

  private async silentForAWhile(bottle: PersistentBottle): Promise<void> {
    await bottle.heartbeat();
    await this.expectMessage(bottle, 'bottle_silent raised');
    this.keepReporting(bottle);
    await this.expectMessage(bottle, 'bottle_silent resolved');
  }

  private async silentUntilTheEnd(bottle: PersistentBottle): Promise<void> {
    await bottle.heartbeat();
    await this.expectMessage(bottle, 'bottle_silent raised');
    await this.ending;
    this.keepReporting(bottle);
    await this.expectMessage(bottle, 'bottle_silent resolved');
  }

  private async takenOnTime(bottle: PersistentBottle): Promise<void> {
    this.keepReporting(bottle);
    await sleep(HEARTBEAT_MS);
    await bottle.open();
    await bottle.close(1);
  }

  private async takenLate(bottle: PersistentBottle): Promise<void> {
    this.keepReporting(bottle);
    await this.expectMessage(bottle, 'missed_dose raised');
    await bottle.open();
    await bottle.close(1);
    await this.expectMessage(bottle, 'missed_dose resolved');
  }

  private async notTaken(bottle: PersistentBottle): Promise<void> {
    this.keepReporting(bottle);
    await this.expectMessage(bottle, 'missed_dose raised');
    await this.expectMessage(bottle, 'missed_dose missed');
  }

  private async mailedWhenOpen(bottle: PersistentBottle, email: string): Promise<void> {
    await bottle.open();
    this.keepReporting(bottle);
    await this.expect(`${email} 1`);
    await bottle.close();
    await this.expect(`${email} 2`);
  }

  /** Expects a notification from now on; resolves when it has been received. */
  private async expectMessage(bottle: PersistentBottle, what: string): Promise<void> {
    await this.expect(`${bottle.id} ${what}`);
  }

  private async expect(content: Content): Promise<void> {
    this.expected.add(content);
    await this.options.received(content);
  }

  private keepReporting(bottle: PersistentBottle): void {
    this.reporting.push(bottle.keepReporting(HEARTBEAT_MS));
  }
}
