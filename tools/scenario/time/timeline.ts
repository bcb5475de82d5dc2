import type { Scenario, ScenarioEvent } from '../file/format.js';

/** One thing to do at one moment. */
export type Step = TimedReport | Exclude<ScenarioEvent, { type: 'heartbeats' | 'report' }>;

/** A report that a bottle sends, and when. */
export type TimedReport =
  | { at: Date; type: 'heartbeat'; bottle: string; vitals?: Record<string, number> }
  | Extract<ScenarioEvent, { type: 'report' }>;

/** The file's events in the order of time, and of the file where they fall together. */
export class Timeline {
  private readonly steps: Step[];
  private done = 0;

  constructor({ events, end }: Pick<Scenario, 'events' | 'end'>) {
    this.steps = events
      .filter(({ at }) => at <= end)
      .flatMap((event) => expand(event, end))
      .sort((one, other) => one.at.getTime() - other.at.getTime());
  }

  /** When the next step is due; undefined when there is none. */
  get nextAt(): Date | undefined {
    return this.steps[this.done]?.at;
  }

  /** Takes the next step. */
  take(): Step | undefined {
    const step = this.steps[this.done];
    this.done += 1;
    return step;
  }

  /**
   * Takes the bottles' next reports, up to the first other step or the moment `until`.
   *
   * @param wakesAt when a report gives a check work: nothing later is taken; undefined if it gives none
   */
  takeReports(until: Date, wakesAt: (report: TimedReport) => Date | undefined): TimedReport[] {
    const reports: TimedReport[] = [];
    let limit = until;
    for (;;) {
      const step = this.steps[this.done];
      if ((step?.type !== 'heartbeat' && step?.type !== 'report') || step.at > limit) return reports;
      const wakes = wakesAt(step);
      if (wakes && wakes < limit) limit = wakes;
      reports.push(step);
      this.done += 1;
    }
  }
}

function expand(event: ScenarioEvent, end: Date): Step[] {
  if (event.type !== 'heartbeats') return [event];
  const { bottle, every, vitals } = event;
  const last = Math.min(event.until.getTime(), end.getTime());
  const heartbeats: Step[] = [];
  for (let at = event.at.getTime(); at <= last; at += every) {
    heartbeats.push({ at: new Date(at), type: 'heartbeat', bottle, ...(vitals && { vitals }) });
  }
  return heartbeats;
}
