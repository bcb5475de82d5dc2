/** What is generated: the bodies of the requests, and what a gateway's item has besides a report. */
export type BodyName = 'a heartbeat' | 'an action' | 'a batch' | "a gateway's batch" | "a gateway's item";

type Body = Record<string, unknown>;

const DAYS = [
  '2026-03-02',
  '2024-02-29',
  '2025-02-29',
  '2026-02-30',
  '2026-13-01',
  '0000-01-01',
  '9999-12-31',
];
const HOURS = [
  '08:00:00',
  '08:00',
  '23:59:59.999999999',
  '00:00:60',
  '24:00:00',
  '7:00',
  '08:00:00.1234567890',
];
const ZONES = ['Z', '+01:00', '-1130', '+23:59', '+24:00', '', 'z', ' '];
const TEXTS = [
  '',
  'e',
  'boot-7/event-12',
  'x'.repeat(100),
  'x'.repeat(101),
  // 100 of them, as people count, as UTF-16 counts, and with what class-validator does not count
  '\u{1F48A}'.repeat(100),
  `${'\u{1F48A}'.repeat(100)}\uFE0F`,
  `${'x'.repeat(99)}\uD800\uDC00`,
  '\uD800'.repeat(101),
  '\uFE0F',
  ' ',
  '\u0000',
];
const IDS = [
  '6b01570aaa98db17dc6c142f',
  '6B01570AAA98DB17DC6C142F',
  '6b01570aaa98db17dc6c142',
  '6b01570aaa98db17dc6c142f0',
  '6b01570aaa98db17dc6c142g',
  '0x01570aaa98db17dc6c142f',
  '\uFF16b01570aaa98db17dc6c142f',
  ' 6b01570aaa98db17dc6c142f',
  '6b01570aaa98db17dc6c142f\n',
];
const NUMBERS = [
  0, -0, 1, -1, 0.5, 50, 50.1, 100, 100.1, -200, -200.5, 255, 255.25, 10_000, 10_001, 65_535, 100_000,
  100_001,
];
const FAR = [1e-320, 1e21, 1e308, Number.MAX_SAFE_INTEGER + 1, Number.POSITIVE_INFINITY, Number.NaN];
const FIELDS = [
  'sent_at',
  'battery_percent',
  'rssi_dbm',
  'mass_of_contents',
  'number_of_pills',
  'action',
  'time',
];
const ODD_FIELDS = [
  ...FIELDS,
  'pills_taken',
  'event_id',
  'bottle_id',
  'items',
  'type',
  '',
  '$where',
  'a.b',
  '_id',
  'Action',
  'then',
];

/** Bodies that are right, nearly right, or hostile; the same seed makes the same ones. */
export class BodyGenerator {
  constructor(private state: number) {}

  body(name: BodyName): Body {
    const body = this.right(name);
    const spoiled = this.below(10);
    // half are right; the rest has one thing wrong, or several
    if (spoiled < 5) return body;
    for (let times = spoiled < 8 ? 1 : 1 + this.below(4); times > 0; times -= 1) this.spoil(body);
    return body;
  }

  private right(name: BodyName): Body {
    switch (name) {
      case 'a heartbeat':
        return this.some({
          sent_at: this.instant(),
          battery_percent: this.below(101),
          rssi_dbm: this.below(251) - 200,
          mass_of_contents: this.below(10_000) / 8,
          number_of_pills: this.below(30_000),
        });
      case 'an action': {
        const measured = { mass_of_contents: this.below(30_000), number_of_pills: this.below(30_000) };
        const reported = { ...measured, time: this.instant() };
        const identified = this.some({ event_id: this.pick(TEXTS.slice(1, 4)), sent_at: this.instant() });
        return this.below(2) === 0
          ? { action: 'opened', ...reported, ...identified }
          : { action: 'closed', ...reported, pills_taken: this.below(10_001), ...identified };
      }
      case "a gateway's item":
        return { bottle_id: this.pick(IDS.slice(0, 2)) };
      case 'a batch':
      case "a gateway's batch": {
        const most = name === 'a batch' ? 500 : 1_000;
        const length = this.below(100) === 0 ? most : 1 + this.below(4);
        return {
          items: Array.from({ length }, () => this.anything(2)),
          ...this.some({ sent_at: this.instant() }),
        };
      }
    }
  }

  private spoil(body: Body): void {
    const fields = Object.keys(body);
    const field = fields.length === 0 || this.below(4) === 0 ? this.pick(ODD_FIELDS) : this.pick(fields);
    if (this.below(4) === 0) delete body[field];
    else if (field === 'items' && this.below(2) === 0)
      body[field] = Array.from({ length: this.pick([0, 501, 1_001]) });
    else body[field] = this.anything(3);
  }

  /** Some of the fields. */
  private some(body: Body): Body {
    return Object.fromEntries(Object.entries(body).filter(() => this.below(2) === 0));
  }

  private instant(): string {
    const day = this.below(36_524) * 86_400_000 + this.below(86_400_000);
    return new Date(day).toISOString();
  }

  private anything(depth: number): unknown {
    switch (this.below(depth > 0 ? 12 : 9)) {
      case 0:
      case 1:
        return this.pick(NUMBERS);
      case 2:
        return this.pick(FAR);
      case 3:
        return this.pick(TEXTS);
      case 4:
      case 5:
        return `${this.pick(DAYS)}${this.pick(['T', 'T', 'T', 't', ' '])}${this.pick(HOURS)}${this.pick(ZONES)}`;
      case 6:
        return this.pick(['opened', 'closed', 'OPENED', 'heartbeat', 'opened ']);
      case 7:
        return this.pick([null, true, false, '1', 'NaN', ...IDS]);
      case 8:
        return this.instant();
      case 9:
        return Array.from({ length: this.below(3) }, () => this.anything(depth - 1));
      default:
        return Object.fromEntries(
          Array.from({ length: this.below(3) }, () => [this.pick(ODD_FIELDS), this.anything(depth - 1)]),
        );
    }
  }

  private pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }

  /** Mulberry32: a small generator that is the same everywhere. */
  private below(bound: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  }
}
