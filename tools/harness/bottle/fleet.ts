import { type Clock, ManualClock, SystemClock } from '#platform';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { BottleClient } from './bottle-client.js';
import { DeviceClock } from './device-clock.js';
import { Gate } from './gate.js';
import { Link, type LinkHabits, STEADY_LINK } from './link.js';
import { Outbox } from './outbox.js';
import type { AcknowledgedReport } from './report.js';
import { SimulatedBottle } from './simulated-bottle.js';
import { Random } from '../../random.js';
import { StatsCollector } from './stats.js';
import { type NewBottle, SupportClient } from '../support-client.js';
import { Timeline } from './timeline.js';
import { persist, register } from './register.js';

export interface FleetOptions {
  /** Address of device-api. */
  target: string;
  /** Address of support-api. */
  support: string;
  adminToken: string;
  /** The same seed makes the same choices. */
  seed: string | number;
  /** Reports under way at once, at most. */
  concurrency: number;
  onAcknowledged?: ((report: AcknowledgedReport) => void) | undefined;
  clock?: Clock | undefined;
}

/** Milliseconds. */
const SENT_POLL_MS = 1;

/** What is particular to one bottle. */
export interface BottleTraits {
  /** Names its stream of choices; different for each bottle of a fleet. */
  name: string | number;
  pills: number;
  clock?: DeviceClock;
  habits?: LinkHabits;
  /** Percent; by chance unless given. */
  battery?: number;
}

/** A quarter as many registrations at once as reports. */
const REGISTERING_SHARE = 4;
const DRAIN_POLL_MS = 20;

/** Bottles that share connections, figures and time; what they do is up to whoever adds them. */
export class Fleet {
  readonly timeline: Timeline;
  readonly stats = new StatsCollector();
  private readonly clock: Clock;
  private readonly retries: Timeline;
  private readonly gate: Gate;
  /** Apart from the reports, which would wait behind a whole fleet that is being registered. */
  private readonly registrations: Gate;
  private readonly agent: Agent;
  private readonly support: SupportClient;
  private readonly ending = new AbortController();
  private readonly bottles: SimulatedBottle[] = [];

  constructor(private readonly options: FleetOptions) {
    this.clock = options.clock ?? new SystemClock();
    const setTimer = this.clock instanceof ManualClock ? () => undefined : setTimeout;
    this.timeline = new Timeline(this.clock, setTimer);
    this.retries = new Timeline(this.clock, setTimer);
    this.gate = new Gate(options.concurrency);
    this.registrations = new Gate(Math.ceil(options.concurrency / REGISTERING_SHARE));
    this.agent = new Agent({ connections: options.concurrency });
    this.support = new SupportClient({ ...options, dispatcher: this.agent });
  }

  /** Registers a bottle, however long that takes. @throws when it is refused or the fleet is stopped. */
  async add(
    facts: NewBottle,
    { name, pills, clock = new DeviceClock(), habits = STEADY_LINK, battery }: BottleTraits,
  ): Promise<SimulatedBottle> {
    const { bottle_id, token } = await this.registrations.run(() =>
      register(this.support, facts, this.patience(name)),
    );
    this.ending.signal.throwIfAborted();
    const outbox = new Outbox({
      bottleId: bottle_id,
      client: new BottleClient({ targets: [this.options.target], token, dispatcher: this.agent }),
      link: new Link(habits, this.random(name, 'link')),
      clock,
      random: this.random(name, 'retry'),
      gate: this.gate,
      stats: this.stats,
      retries: this.retries,
      onAcknowledged: this.options.onAcknowledged,
    });
    const random = this.random(name, 'bottle');
    const bottle = new SimulatedBottle({
      id: bottle_id,
      clock,
      outbox,
      timeline: this.timeline,
      random,
      pills,
      battery,
    });
    this.bottles.push(bottle);
    this.stats.bottles += 1;
    return bottle;
  }

  /** Gives a bottle a new schedule from now on. */
  async prescribe(bottleId: string, schedule: object): Promise<void> {
    const ask = () => this.support.schedule(bottleId, schedule);
    const answer = await this.registrations.run(() => persist(ask, this.patience(bottleId)));
    if (answer.status >= 300) this.stats.count(answer.code ?? `http_${answer.status}`);
  }

  /** Lets a clock that nobody else sets go on to a moment (epoch milliseconds), and sends what was planned until then. */
  async passUntil(clock: ManualClock, moment: number): Promise<void> {
    for (;;) {
      clock.set(new Date(Math.min(this.timeline.nextAt, this.retries.nextAt, moment)));
      const isThere = clock.now().getTime() === moment;
      this.retries.runDue();
      this.timeline.runDue();
      while (this.bottles.some(({ outbox }) => !outbox.idle)) await sleep(SENT_POLL_MS);
      if (isThere) return;
    }
  }

  /** A stream of choices for one purpose. */
  random(...purpose: (string | number)[]): Random {
    return new Random(this.options.seed, ...purpose);
  }

  /**
   * Stops the bottles, brings all of them online and gives their backlog `drainMs` to get through; then
   * waits for the answers that are still on their way.
   */
  async stop(drainMs: number): Promise<void> {
    this.timeline.stop();
    this.ending.abort();
    for (const { outbox } of this.bottles) outbox.setOnline(true);
    const until = this.clock.now().getTime() + drainMs;
    while (this.stats.backlog > 0 && this.clock.now().getTime() < until) await sleep(DRAIN_POLL_MS);
    await this.end();
  }

  /** Stops the bottles as they are: what waits is not sent. */
  async end(): Promise<void> {
    this.timeline.stop();
    for (const { outbox } of this.bottles) outbox.close();
    this.retries.stop();
    while (this.bottles.some(({ outbox }) => !outbox.idle)) await sleep(DRAIN_POLL_MS);
    await this.agent.close();
  }

  private patience(name: string | number) {
    return {
      random: this.random(name, 'register'),
      now: () => this.clock.now(),
      onFailure: (code: string) => this.stats.count(code),
      signal: this.ending.signal,
    };
  }
}
