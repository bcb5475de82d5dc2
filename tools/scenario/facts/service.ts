import type { Scenario } from '../file/format.js';
import type { Span } from '../generate/oracle/facts.js';

/** When device-api accepted reports, in order. Epoch milliseconds. */
export function acceptingSpans({ start, events }: Pick<Scenario, 'start' | 'events'>): Span[] {
  const down = new Set<'device-api' | 'database'>();
  const spans: Span[] = [{ from: start.getTime(), to: Infinity }];
  for (const event of inOrder(events)) {
    if (event.type !== 'system') continue;
    const wasDown = down.size > 0;
    const at = event.at.getTime();
    switch (event.change) {
      case 'stop-device-api':
      case 'freeze-device-api':
        down.add('device-api');
        break;
      case 'start-device-api':
      case 'thaw-device-api':
        down.delete('device-api');
        break;
      case 'stop-database':
        down.add('database');
        break;
      case 'start-database':
        down.delete('database');
        break;
    }
    if (!wasDown && down.size > 0) spans.at(-1)!.to = at;
    if (wasDown && down.size === 0) spans.push({ from: at, to: Infinity });
  }
  return spans;
}

/** Of each list of events: asked for with each message of a fleet. */
const ordered = new WeakMap<readonly { at: Date }[], readonly { at: Date }[]>();

/** By time; what falls on one moment in the order of the file. */
export function inOrder<E extends { at: Date }>(events: readonly E[]): readonly E[] {
  const known = ordered.get(events) ?? events.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  ordered.set(events, known);
  return known as readonly E[];
}
