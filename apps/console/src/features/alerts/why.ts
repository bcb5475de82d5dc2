import type { AlertDetail } from '../../api/types.js';
import { dayAndTime, duration } from '../../time/format.js';

type Evidence = AlertDetail['evidence'];

/** An alert's evidence as sentences: what the rule saw, and the numbers by which it decided. */
export function whySentences(evidence: Evidence, zone: string, present: number): string[] {
  const read = new Reader(evidence, zone, present);
  return [...(RULES[evidence.rule]?.(read) ?? []), ...learned(read), ...read.others()];
}

const RULES: Record<string, (read: Reader) => string[]> = {
  late_after: (read) => [
    `A dose of ${read.pills('pills_scheduled')} was due at ${read.time('scheduled_at')}. By ${read.time('late_at')} it was late; it counts as missed from ${read.time('missed_at')}.`,
    `${capital(read.pills('pills_taken'))} had been taken out.`,
    ...read.when('heard_at', (time) => `The bottle was heard after that, at ${time}: it was connected.`),
  ],
  open_after: (read) => [
    `It was opened at ${read.time('opened_at')} and not closed for ${read.span('open_after_ms')}.`,
    ...read.when(
      'last_heard_at',
      (time) => `It was heard at ${time}: it was connected and would have told of a closing.`,
    ),
  ],
  silent_after: (read) => [
    `Nothing was heard of it after ${read.time('last_heard_at')}, for more than ${read.span('silent_after_ms')}.`,
    `The service was listening for ${read.span('listened_ms')} of that time.`,
    ...read.list('unconfirmed_doses', (times) => `Cannot be confirmed: the dose of ${times}.`),
  ],
  low_supply_days: (read) => [
    `It held ${read.pills('pills')}; the doses of ${read.number('days')} days need ${read.number('needed')}.`,
  ],
  count_tolerance: (read) => [
    `At ${read.time('weighed_at')} it counted ${read.pills('number_of_pills')} and weighed ${read.number('measured_mass')} g; so many pills weigh ${read.number('expected_mass')} g. That is ${read.number('difference_pills')} pills apart, and ${read.number('tolerance_pills')} would be in order.`,
    `A pill weighs ${read.number('pill_mass')} g, learned from ${read.number('learned_from_bottles')} bottles. They differ since ${read.time('differs_since')}.`,
  ],
  fleet_incident_percent: (read) => [
    `${read.number('silent_bottles')} of ${read.number('heard_bottles')} bottles fell silent in one run; more than ${read.number('percent')} % is a fleet incident.`,
  ],
};

/** What came to be known later. */
function learned(read: Reader): string[] {
  return [
    ...read.when('heard_again_at', (time) => `It was heard again at ${time}.`),
    ...read.when(
      'removed_at',
      (time) => `${capital(read.pills('extra_pills'))} beyond the schedule, taken out at ${time}.`,
    ),
    ...read.when('taken_at', (time) => `It was taken after all, at ${time}.`),
    ...read.has('pills_after_refill', () => `It was filled again: ${read.pills('pills_after_refill')}.`),
    ...read.has('still_silent', () => `${read.number('still_silent')} were silent when it ended.`),
  ];
}

/** Takes values out of evidence and remembers which are still to be told. */
class Reader {
  private readonly told = new Set(['rule', 'outcome', 'ended_by']);

  constructor(
    private readonly evidence: Evidence,
    private readonly zone: string,
    private readonly present: number,
  ) {}

  time(key: string): string {
    return this.asTime(this.take(key)) ?? 'a time that is not known';
  }

  span(key: string): string {
    const ms = this.take(key);
    return typeof ms === 'number' ? duration(ms) : 'a while';
  }

  number(key: string): string {
    const value = this.take(key);
    return typeof value === 'number' ? value.toLocaleString('en') : 'an unknown number';
  }

  pills(key: string): string {
    const value = this.take(key);
    if (value === 0) return 'no pill';
    return value === 1 ? '1 pill' : `${typeof value === 'number' ? value : 'some'} pills`;
  }

  when(key: string, sentence: (time: string) => string): string[] {
    const time = this.asTime(this.evidence[key]);
    this.told.add(key);
    return time === undefined ? [] : [sentence(time)];
  }

  has(key: string, sentence: () => string): string[] {
    return this.evidence[key] === undefined ? [] : [sentence()];
  }

  list(key: string, sentence: (items: string) => string): string[] {
    const value = this.take(key);
    const times = Array.isArray(value) ? value.flatMap((entry) => this.asTime(entry) ?? []) : [];
    return times.length === 0 ? [] : [sentence(times.join(', '))];
  }

  /** What no sentence was made for: as it is. */
  others(): string[] {
    return Object.entries(this.evidence)
      .filter(([key, value]) => !this.told.has(key) && value !== null && value !== undefined)
      .map(([key, value]) => `${key.replaceAll('_', ' ')}: ${this.asTime(value) ?? plain(value)}`);
  }

  private take(key: string): unknown {
    this.told.add(key);
    return this.evidence[key];
  }

  private asTime(value: unknown): string | undefined {
    if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}T/.test(value)) return undefined;
    return dayAndTime(Date.parse(value), this.zone, this.present);
  }
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
