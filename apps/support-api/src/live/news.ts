import type { Change } from '#persistence';

/** What a page is told: what has changed, not how. The page reads it again. */
export interface Notice {
  event: 'bottle' | 'alert' | 'delivery' | 'fleet' | 'reset' | 'alive';
  /** Without ids: some of them, which ones is not said. */
  data: { bottle_id?: string; alert_id?: string };
  /** The event's id: the last change that it stands for. Whoever has it has all that came before, too. */
  token: string;
}

/** Says a thing once, where it was said last: the notices stay in the order of their tokens. */
export function sayOnce<T extends Notice>(said: Map<string, T>, notice: T): void {
  const text = JSON.stringify([notice.event, notice.data]);
  said.delete(text);
  said.set(text, notice);
}

/** More alerts or messages than this at once are told as "some". */
const MOST_NAMED = 50;

/** What has changed in a short time, each thing once. */
export class News {
  private readonly said = new Map<string, Notice>();
  private readonly named = { alert: 0, delivery: 0 };
  /** Bottles of which anything at all has changed, as far as it is read: for whoever looks at one of them. */
  readonly bottles = new Set<string>();

  get notices(): Notice[] {
    return [...this.said.values()];
  }

  get empty(): boolean {
    return this.said.size === 0 && this.bottles.size === 0;
  }

  add(change: Change): void {
    switch (change.collection) {
      case 'bottles':
      case 'bottle_states':
        this.bottles.add(change.id);
        if (!change.listed) return;
        this.say('bottle', {}, change);
        return this.say('fleet', {}, change);
      case 'alerts':
        return this.name('alert', change.id, change);
      case 'deliveries':
        return this.name('delivery', change.alert_id, change);
    }
  }

  private name(event: 'alert' | 'delivery', alertId: string | undefined, change: Change): void {
    const { bottle_id } = change;
    if (bottle_id !== undefined) this.bottles.add(bottle_id);
    this.named[event] += 1;
    const several = alertId === undefined || this.named[event] > MOST_NAMED;
    this.say(event, several ? {} : { alert_id: alertId, ...(bottle_id ? { bottle_id } : {}) }, change);
  }

  private say(event: Notice['event'], data: Notice['data'], { token }: Change): void {
    sayOnce(this.said, { event, data, token });
  }
}
