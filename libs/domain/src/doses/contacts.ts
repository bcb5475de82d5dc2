import { countUntil } from '../time/count-until.js';
import type { Span } from './asked-bottles.js';
import { DAY_MS } from '../time/durations.js';
import type { RecordedCoverage } from '../coverage/recorded-coverage.js';

/** The default grace for a bottle's backlog after a silence: 2 minutes. */
export const BACKLOG_GRACE_MS = 120_000;

/** The grace for a backlog: at most half the allowed silence, for a demo with short silences. */
export function backlogGrace(silentAfterMs: number): number {
  return Math.min(BACKLOG_GRACE_MS, silentAfterMs / 2);
}

/** The contacts around an instant. All times are epoch milliseconds. */
export interface Confirmation {
  /** The first contact after the instant. */
  first?: number;
  /** The last contact at or before the instant. */
  before?: number;
  /**
   * Whether the instant was in a silence: reports were accepted from `before` to `first` for longer than allowed, or since
   * `before` for the allowed silence, or there is no earlier contact.
   */
  afterSilence: boolean;
  /** Of several bottles: which of them were silent around the instant, 0 the one that has the plan. */
  silent?: readonly number[];
  /** A bottle left the plan in the window, silent: no contact shows what was removed from it. */
  leftSilent?: true;
  /** The time from which `first` is reliable, if we go on to listen; in the future while a backlog may still arrive. */
  reliableFrom?: number;
}

/** By what contacts are judged. */
export interface ContactRules {
  now: number;
  silentAfterMs: number;
  graceMs: number;
  /** When reports were accepted: a silence is covered time. */
  coverage: RecordedCoverage;
}

/** When the bottles were seen whose reports say what became of a dose. */
export interface Contacts {
  /** The contacts around an instant of a dose. @param opens when the window of the dose opens */
  around(instant: number, opens: number): Confirmation;
  /** For how much longer we have to listen until a bottle last seen then is silent. Milliseconds. */
  missingSilence(lastSeen: number): number;
}

/** The receipt times of a bottle's reports up to `now`; their order does not matter. */
export class ContactLog implements Contacts {
  private readonly times: number[];

  constructor(
    contacts: readonly Date[],
    private readonly rules: ContactRules,
  ) {
    const known = contacts.map((contact) => contact.getTime()).filter((time) => time <= rules.now);
    this.times = [...new Set(known)].sort((a, b) => a - b);
  }

  around(instant: number): Confirmation {
    const index = this.indexAfter(instant);
    const first = this.times[index];
    const before = this.times[index - 1];
    if (first === undefined) {
      return { before, afterSilence: before === undefined || this.missingSilence(before) <= 0 };
    }
    return { first, before, afterSilence: this.endsSilence(index), reliableFrom: this.reliableFrom(index) };
  }

  missingSilence(lastSeen: number): number {
    return this.rules.silentAfterMs - this.coveredSince(lastSeen);
  }

  /** Whether it had been silent, at an instant, since its last contact or, without one, since another instant. */
  wasSilent(instant: number, since: number): boolean {
    const last = this.times[this.indexAfter(instant) - 1] ?? since;
    return this.rules.coverage.listened(new Date(last), new Date(instant)) >= this.rules.silentAfterMs;
  }

  /**
   * A contact that ends a silence, or follows an outage of ours, may arrive before the backlog, and so may a contact a
   * few seconds later: both are reliable when we have listened for the grace since.
   */
  private reliableFrom(index: number): number {
    const { now, graceMs } = this.rules;
    for (let at = index; at >= 0; at -= 1) {
      const missing = graceMs - this.coveredSince(this.times[at]!);
      if (missing <= 0) break;
      if (this.endsSilence(at) || this.followsGap(at)) return now + missing;
    }
    return this.times[index]!;
  }

  /** A contact exactly at the end of the allowed silence is in time. */
  private endsSilence(index: number): boolean {
    const before = this.times[index - 1];
    if (before === undefined) return true;
    const { coverage, silentAfterMs } = this.rules;
    return coverage.listened(new Date(before), new Date(this.times[index]!)) > silentAfterMs;
  }

  private followsGap(index: number): boolean {
    const [before, time] = [this.times[index - 1]!, this.times[index]!];
    return this.rules.coverage.hasGap(new Date(before), new Date(time));
  }

  private coveredSince(time: number): number {
    return this.rules.coverage.since(new Date(time));
  }

  private indexAfter(instant: number): number {
    return countUntil(this.times, Number, instant);
  }
}

/** A further bottle of a plan, and when the plan needs a contact with it. */
export interface FurtherLog {
  log: ContactLog;
  spans: readonly Span[];
}

/**
 * The contacts with all bottles of one plan: a dose may have been taken from any of them, so what is known at an instant is
 * what is known of each bottle that was asked for the plan then.
 */
export class PlanContacts implements Contacts {
  constructor(
    private readonly own: ContactLog,
    private readonly further: readonly FurtherLog[],
  ) {}

  around(instant: number, opens: number): Confirmation {
    const asked = this.further.flatMap(({ log, spans }, index) =>
      spans.some(({ from, until }) => from <= instant && instant < until) ? [{ log, place: index + 1 }] : [],
    );
    const leftSilent = this.further.some(({ log, spans }) =>
      spans.some(
        ({ from, until }) => from < until && opens < until && until <= instant && log.wasSilent(until, from),
      ),
    );
    const all = [{ log: this.own, place: 0 }, ...asked].map(({ log, place }) => ({
      place,
      ...log.around(instant),
    }));
    const silent = all.filter(({ afterSilence }) => afterSilence).map(({ place }) => place);
    const found = { ...jointly(all), silent };
    return leftSilent ? { ...found, afterSilence: true, leftSilent } : found;
  }

  missingSilence(lastSeen: number): number {
    return this.own.missingSilence(lastSeen);
  }
}

/** What is known by all of these: the contact after an instant is there when the last of them has come. */
function jointly(all: readonly Confirmation[]): Confirmation {
  const waiting = all.filter(({ first }) => first === undefined);
  const isComplete = waiting.length === 0;
  const before = earliestOf((isComplete ? all : waiting).map((each) => each.before));
  const afterSilence = all.some((each) => each.afterSilence);
  if (!isComplete) return { ...(before !== undefined && { before }), afterSilence };
  return {
    first: Math.max(...all.map(({ first }) => first!)),
    ...(before !== undefined && { before }),
    afterSilence,
    reliableFrom: Math.max(...all.map(({ reliableFrom }) => reliableFrom!)),
  };
}

/** Undefined if one of them is. */
function earliestOf(times: readonly (number | undefined)[]): number | undefined {
  return times.includes(undefined) ? undefined : Math.min(...(times as number[]));
}

/** A last contact before an outage of ours is found if the outage was no longer than this. Milliseconds. */
export const LONGEST_OUTAGE_MS = 7 * DAY_MS;

/**
 * Whether heartbeats alone do not show when a bottle was seen in [from, now]: they leave a silence, or an outage of ours
 * lies between. Then actions are contacts that must be read too.
 *
 * @param heartbeats in no particular order
 */
export function heartbeatsLeaveGap(
  heartbeats: readonly Date[],
  from: Date,
  { now, coverage, silentAfterMs }: { now: Date; coverage: RecordedCoverage; silentAfterMs: number },
): boolean {
  if (coverage.hasGap(from, now)) return true;
  const times = [from, ...heartbeats, now]
    .map((moment) => moment.getTime())
    .sort((one, other) => one - other);
  return times.some((time, index) => index > 0 && time - times[index - 1]! >= silentAfterMs);
}
