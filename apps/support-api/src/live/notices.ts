import type { Change } from '#persistence';

/** An event of the change feed for a page: what has changed, not how. The page reads it again. */
export interface Notice {
  event: 'bottle' | 'alert' | 'delivery' | 'contact' | 'fleet' | 'reset' | 'alive';
  /** Without ids: some have changed, without saying which ones. */
  data: { bottle_id?: string; alert_id?: string };
  /** The id of the event: the resume token of the last change it stands for. It covers all changes before. */
  token: string;
}

/** Adds a notice, or moves an equal one to the end: the notices stay ordered by token. */
function addOnce<T extends Notice>(notices: Map<string, T>, notice: T): void {
  const key = JSON.stringify([notice.event, notice.data]);
  notices.delete(key);
  notices.set(key, notice);
}

/** More alerts, notifications or bottles than this at a time are reported without ids. */
const MAX_WITH_IDS = 50;

/** The changes of a short time, each once. */
export class PendingNotices {
  private readonly notices = new Map<string, Notice>();
  private readonly counts = { alert: 0, delivery: 0, bottle: 0 };
  /** Bottles with any change at all that was read: for the pages that show one of them. */
  readonly bottles = new Set<string>();

  get all(): Notice[] {
    return [...this.notices.values()];
  }

  get isEmpty(): boolean {
    return this.notices.size === 0 && this.bottles.size === 0;
  }

  add(change: Change): void {
    switch (change.collection) {
      case 'bottles':
      case 'bottle_states':
        this.bottles.add(change.id);
        if (!change.listed) return;
        this.notify('bottle', {}, change);
        return this.notify('fleet', {}, change);
      case 'alerts':
        return this.notifyById('alert', change.id, change);
      case 'deliveries':
        return this.notifyById('delivery', change.alert_id, change);
      case 'attestations':
        return this.notifyStatement(change);
      case 'contacts':
        // whose it is stays out of the stream; a page shows few of them
        return this.notify('contact', {}, change);
    }
  }

  private notifyById(event: 'alert' | 'delivery', alertId: string | undefined, change: Change): void {
    const { bottle_id } = change;
    if (bottle_id !== undefined) this.bottles.add(bottle_id);
    this.counts[event] += 1;
    const several = alertId === undefined || this.counts[event] > MAX_WITH_IDS;
    this.notify(event, several ? {} : { alert_id: alertId, ...(bottle_id ? { bottle_id } : {}) }, change);
  }

  /** A person's page shows doses of all their bottles, and watches none of them. */
  private notifyStatement(change: Change): void {
    const { bottle_id } = change;
    if (bottle_id === undefined) return;
    this.bottles.add(bottle_id);
    this.counts.bottle += 1;
    this.notify('bottle', this.counts.bottle > MAX_WITH_IDS ? {} : { bottle_id }, change);
  }

  private notify(event: Notice['event'], data: Notice['data'], { token }: Change): void {
    addOnce(this.notices, { event, data, token });
  }
}

/** How long a page may be disconnected and still get what it missed. Milliseconds. */
const KEPT_MS = 10 * 60_000;
/** A page that connects for the first time has read its content within this time. Milliseconds. */
const JUST_READ_MS = 30_000;
/** A page that missed more notices than this reads everything again. */
const MAX_MISSED = 200;

interface SentNotice extends Notice {
  /** Epoch milliseconds. */
  at: number;
}

/** Recent notices, for pages that lost their connection to this process or to another. */
export class RecentNotices {
  private readonly sent = new Map<string, SentNotice>();
  /** Everything after this token is known. */
  private from = { token: '', at: 0 };
  /** Everything up to this token has been sent. */
  position = '';

  /** Starts here: nothing before is known. */
  begin(position: string, now: Date): void {
    this.sent.clear();
    this.from = { token: position, at: now.getTime() };
    this.position = position;
  }

  keep(until: string, notices: readonly Notice[], now: Date): void {
    this.position = until;
    for (const notice of notices) addOnce(this.sent, { ...notice, at: now.getTime() });
    const old = now.getTime() - KEPT_MS;
    for (const [key, { token, at }] of this.sent) {
      if (at >= old) break;
      this.sent.delete(key);
      this.from = { token, at };
    }
  }

  /**
   * The notices that a page missed.
   *
   * @param token up to which the page has seen everything; undefined for a page that has just read its content
   * @returns undefined if that is not known, or no longer, or if there are too many
   */
  since(token: string | undefined, now: Date): Notice[] | undefined {
    const justRead = now.getTime() - JUST_READ_MS;
    const isKnown =
      token === undefined ? this.from.at <= justRead : this.from.token <= token && token <= this.position;
    if (!isKnown) return undefined;
    const missed = [...this.sent.values()].filter((notice) =>
      token === undefined ? notice.at >= justRead : notice.token > token,
    );
    return missed.length > MAX_MISSED ? undefined : missed;
  }
}
