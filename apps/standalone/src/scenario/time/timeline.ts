import type { Scenario, ScenarioEvent } from '../file/format.js';

/** One thing to do at one moment. */
export type Step =
  { at: Date; type: 'heartbeat'; bottle: string } | Exclude<ScenarioEvent, { type: 'heartbeats' }>;

/** The file's events in the order of time, and of the file where they fall together. */
export class Timeline {
  private readonly steps: Step[];
  private done = 0;

  constructor({ events, end }: Pick<Scenario, 'events' | 'end'>) {
    this.steps = events
      .flatMap((event) => expand(event, end))
      .sort((one, other) => one.at.getTime() - other.at.getTime());
  }

  /** When the next thing happens; undefined when nothing more does. */
  get nextAt(): Date | undefined {
    return this.steps[this.done]?.at;
  }

  /** Takes everything that happens at the next moment. */
  take(): Step[] {
    const at = this.nextAt?.getTime();
    const from = this.done;
    while (at !== undefined && this.nextAt?.getTime() === at) this.done += 1;
    return this.steps.slice(from, this.done);
  }
}

function expand(event: ScenarioEvent, end: Date): Step[] {
  if (event.type !== 'heartbeats') return [event];
  const { bottle, every } = event;
  const last = Math.min(event.until.getTime(), end.getTime());
  const beats: Step[] = [];
  for (let at = event.at.getTime(); at <= last; at += every) {
    beats.push({ at: new Date(at), type: 'heartbeat', bottle });
  }
  return beats;
}
