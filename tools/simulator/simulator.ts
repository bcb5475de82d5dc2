import { type Clock, SystemClock } from '#platform';
import {
  type Behaviour,
  heartbeats,
  leavesOpen,
  type BehaviourContext,
  opensOnly,
  Pace,
  wifiOutages,
} from './behaviours/behaviours.js';
import { type DosePlan, dosePlan, firstDose } from './behaviours/dose-plan.js';
import { doses } from './behaviours/doses.js';
import { chooseProfile } from './behaviours/profile.js';
import type { AcknowledgedReport } from '../harness/bottle/report.js';
import { Fleet } from '../harness/bottle/fleet.js';
import { chooseOwner } from './people.js';
import type { Refusal, Stats } from '../harness/bottle/stats.js';

export interface SimulatorOptions {
  bottles: number;
  /** Seconds of the fleet's time in a real second: 60 makes a heartbeat every 30 s. */
  speed: number;
  /** Address of device-api. */
  target: string;
  /** Address of support-api. */
  support: string;
  adminToken: string;
  /** The same seed makes the same fleet with the same habits. Default: 1. */
  seed?: string | number;
  /** Requests under way at once, at most. Default: 64. */
  concurrency?: number;
  /** How long `stop` waits for the backlog to get through. Milliseconds; default: 5 s. */
  drainMs?: number;
  /** Called for every report once its answer has come: from then on it must be in the log. */
  onAcknowledged?: (report: AcknowledgedReport) => void;
  clock?: Clock;
}

/** A run's figures and, should there be any, the first refusals. */
export interface Summary extends Stats {
  /** From `start` to the end of `stop`. */
  seconds: number;
  refusals: Refusal[];
}

const DEFAULTS = { seed: 1, concurrency: 64, drainMs: 5_000 } as const;

/** A fleet of simulated bottles against real services, in real time with compressed intervals. */
export class Simulator {
  private readonly fleet: Fleet;
  private readonly pace: Pace;
  private readonly clock: Clock;
  private startedAt: number;
  private stopping: Promise<Summary> | undefined;

  constructor(private readonly options: SimulatorOptions) {
    this.clock = options.clock ?? new SystemClock();
    this.pace = new Pace(options.speed);
    this.fleet = new Fleet({ ...DEFAULTS, ...options, clock: this.clock });
    this.startedAt = this.clock.now().getTime();
  }

  /**
   * Registers the bottles; each begins to live at once. Resolves when all are there, or when `stop` was called.
   *
   * @throws when a bottle is refused.
   */
  async start(): Promise<void> {
    this.startedAt = this.clock.now().getTime();
    const all = Array.from({ length: this.options.bottles }, (_, index) => this.join(index));
    await Promise.all(all).catch((error: unknown) => {
      if (!this.stopping) throw error;
    });
  }

  /** The figures from the start to now. */
  stats(): Stats {
    return this.fleet.stats.snapshot();
  }

  /** Stops all bottles, uploads the backlog and closes the connections. */
  stop(): Promise<Summary> {
    this.stopping ??= this.fleet.stop(this.options.drainMs ?? DEFAULTS.drainMs).then(() => ({
      ...this.stats(),
      seconds: (this.clock.now().getTime() - this.startedAt) / 1000,
      refusals: this.fleet.stats.refusals,
    }));
    return this.stopping;
  }

  private async join(index: number): Promise<void> {
    const { fleet, pace, clock } = this;
    const now = clock.now();
    const traits = fleet.random(index, 'traits');
    const owner = chooseOwner(index, traits);
    const pills = traits.integer(5, 90);
    const first = firstDose(pace, now, traits.next());
    const profile = chooseProfile(traits, now.getTime());
    const plan = dosePlan(pace, first, owner.time_zone);
    const bottle = await fleet.add(
      { ...owner, number_of_pills: pills, schedule: plan.schedule },
      { name: index, pills, clock: profile.clock, habits: profile.link },
    );
    const renew = (before: DosePlan): DosePlan => {
      const next = dosePlan(pace, before.next, owner.time_zone);
      void fleet.prescribe(bottle.id, next.schedule).catch(() => undefined); // ended by stop
      return next;
    };
    const behaviours: Record<string, Behaviour> = {
      heartbeats,
      opensOnly,
      doses: doses(profile.habit, plan, renew),
      ...(profile.leavesOpen ? { leavesOpen } : {}),
      ...(profile.wifiOutages ? { wifiOutages } : {}),
    };
    for (const [name, behave] of Object.entries(behaviours)) {
      const context: BehaviourContext = {
        bottle,
        timeline: fleet.timeline,
        pace,
        random: fleet.random(index, name),
      };
      behave(context);
    }
  }
}
