import type { Change } from '#persistence';

/** What a page is told: what has changed, not how. The page reads it again. */
export interface Notice {
  event: 'bottle' | 'alert' | 'delivery' | 'fleet' | 'reset' | 'alive';
  /** Without ids: some of them, which ones is not said. */
  data: { bottle_id?: string; alert_id?: string };
}

/** More alerts or messages than this at once are told as "some". */
const MOST_NAMED = 50;

/** What has changed in a short time, each thing once. */
export class News {
  private readonly byText = new Map<string, Notice>();
  private readonly named = { alert: 0, delivery: 0 };
  /** Bottles of which anything at all has changed, as far as it is read: for whoever looks at one of them. */
  readonly bottles = new Set<string>();

  get notices(): Notice[] {
    return [...this.byText.values()];
  }

  get empty(): boolean {
    return this.byText.size === 0 && this.bottles.size === 0;
  }

  add({ collection, id, bottle_id, alert_id, listed }: Change): void {
    switch (collection) {
      case 'bottles':
      case 'bottle_states':
        this.bottles.add(id);
        if (listed) this.say({ event: 'bottle', data: {} }, { event: 'fleet', data: {} });
        return;
      case 'alerts':
        return this.name('alert', id, bottle_id);
      case 'deliveries':
        return this.name('delivery', alert_id, bottle_id);
    }
  }

  private name(event: 'alert' | 'delivery', alertId: string | undefined, bottleId: string | undefined): void {
    if (bottleId !== undefined) this.bottles.add(bottleId);
    this.named[event] += 1;
    const several = alertId === undefined || this.named[event] > MOST_NAMED;
    const data = several ? {} : { alert_id: alertId, ...(bottleId ? { bottle_id: bottleId } : {}) };
    this.say({ event, data });
  }

  private say(...notices: Notice[]): void {
    for (const notice of notices) this.byText.set(JSON.stringify(notice), notice);
  }
}
