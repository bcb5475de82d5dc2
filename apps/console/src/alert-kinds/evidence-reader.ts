import { dayAndTime, duration } from '../time/format.js';
import { t, numberText } from '../i18n/i18n.js';
import { amountText, pluralOf } from '../i18n/pills.js';

/** The rule that raised an alert, and what it saw. */
export type Evidence = Record<string, unknown>;

/** Reads values out of evidence, which nothing else does, and remembers which are not shown yet. */
export class EvidenceReader {
  private readonly shown = new Set([
    'rule',
    'outcome',
    'ended_by',
    'asks_pillbox',
    'other_person',
    'plan_of',
  ]);

  constructor(
    private readonly evidence: Evidence,
    private readonly zone: string,
    private readonly present: number,
  ) {}

  /** The rule that raised the alert, or its condition. */
  get rule(): string {
    return String(this.evidence['rule']);
  }

  time(key: string): string {
    return this.asTime(this.take(key)) ?? t('an unknown time');
  }

  span(key: string): string {
    const ms = this.take(key);
    return typeof ms === 'number' ? duration(ms) : t('an unknown time');
  }

  number(key: string): string {
    const value = this.take(key);
    return typeof value === 'number' ? numberText(value) : t('an unknown number');
  }

  pills(key: string): string {
    const value = this.take(key);
    if (value === 0) return t('no pills');
    return typeof value === 'number'
      ? t('{{pills}} pills', { count: pluralOf(value), pills: amountText(value) })
      : t('some pills');
  }

  when(key: string, sentence: (time: string) => string): string[] {
    const time = this.asTime(this.evidence[key]);
    this.shown.add(key);
    return time === undefined ? [] : [sentence(time)];
  }

  text(key: string, sentence: (text: string) => string): string[] {
    const value = this.take(key);
    return typeof value === 'string' ? [sentence(value)] : [];
  }

  has(key: string, sentence: () => string): string[] {
    return this.evidence[key] === undefined ? [] : [sentence()];
  }

  is(key: string, value: string): boolean {
    return this.evidence[key] === value;
  }

  list(key: string, sentence: (items: string) => string): string[] {
    const value = this.take(key);
    const times = Array.isArray(value) ? value.flatMap((entry) => this.asTime(entry) ?? []) : [];
    return times.length === 0 ? [] : [sentence(times.join(', '))];
  }

  /** A phrase for each object of a list; no sentence if there is none. */
  each(
    key: string,
    phrase: (entry: EvidenceReader) => string,
    sentence: (phrases: string) => string,
  ): string[] {
    const value = this.take(key);
    const entries = Array.isArray(value) ? value.filter((entry) => typeof entry === 'object') : [];
    const phrases = entries.map((entry: Evidence) =>
      phrase(new EvidenceReader({ rule: '', ...entry }, this.zone, this.present)),
    );
    return phrases.length === 0 ? [] : [sentence(phrases.join(', '))];
  }

  /** A sentence about an object; none if it is not there. */
  object<Facts extends object>(
    key: string,
    sentence: (facts: Facts, time: (at: string) => string) => string,
  ): string[] {
    const value = this.take(key);
    if (typeof value !== 'object' || value === null) return [];
    return [sentence(value as Facts, (at) => this.asTime(at) ?? t('an unknown time'))];
  }

  /** The values that no sentence used, unformatted. */
  others(): string[] {
    return Object.entries(this.evidence)
      .filter(([key, value]) => !this.shown.has(key) && value !== null && value !== undefined)
      .map(([key, value]) => `${key.replaceAll('_', ' ')}: ${this.asTime(value) ?? plain(value)}`);
  }

  private take(key: string): unknown {
    this.shown.add(key);
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
