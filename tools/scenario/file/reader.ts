import ms, { type StringValue } from 'ms';

/** The file is not a scenario: the message names the place. */
export class ScenarioFileError extends Error {
  constructor(path: string, problem: string) {
    super(`${path === '' ? 'the file' : path}: ${problem}`);
    this.name = 'ScenarioFileError';
  }
}

export type Fields = Record<string, unknown>;

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:?\d{2})$/;
const DURATION = /^\d+(ms|s|m|h|d)$/;

/** A value of the file and where it stands, read as what it must be. */
export class Reader {
  constructor(
    readonly value: unknown,
    readonly path = '',
  ) {}

  fail(problem: string): never {
    throw new ScenarioFileError(this.path, problem);
  }

  get given(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  /** One of the object's fields. */
  at(key: string): Reader {
    const fields = (this.value ?? {}) as Fields;
    return new Reader(fields[key], this.path === '' ? key : `${this.path}.${key}`);
  }

  /** An object; with `known`, a field of another name is refused. */
  object(known?: readonly string[]): Fields {
    if (typeof this.value !== 'object' || this.value === null || Array.isArray(this.value)) {
      this.fail('must be an object');
    }
    const unknown = known && Object.keys(this.value).filter((key) => !known.includes(key));
    if (unknown && unknown.length > 0) {
      this.fail(`unknown key ${unknown.map((key) => `"${key}"`).join(', ')}; known are ${known.join(', ')}`);
    }
    return this.value as Fields;
  }

  /** A list; nothing is an empty one. */
  list(): Reader[] {
    if (!this.given) return [];
    if (!Array.isArray(this.value)) this.fail('must be a list');
    return this.value.map((item, index) => new Reader(item, `${this.path}[${index}]`));
  }

  text(): string {
    return typeof this.value === 'string' && this.value !== '' ? this.value : this.fail('must be a text');
  }

  oneOf<T extends string>(allowed: readonly T[]): T {
    return allowed.find((one) => one === this.value) ?? this.fail(`must be one of ${allowed.join(', ')}`);
  }

  number(): number {
    return typeof this.value === 'number' ? this.value : this.fail('must be a number');
  }

  instant(): Date {
    const date = new Date(INSTANT.test(String(this.value)) ? String(this.value) : Number.NaN);
    return Number.isNaN(date.getTime()) ? this.fail('must be a time such as 2026-03-01T08:00:00Z') : date;
  }

  /** Milliseconds. */
  duration(): number {
    const text = String(this.value);
    return DURATION.test(text) ? ms(text as StringValue) : this.fail('must be a duration such as 30m');
  }

  flag(): boolean {
    return typeof this.value === 'boolean' ? this.value : this.fail('must be true or false');
  }

  /** `read` of the field, if it is there. */
  optional<T>(key: string, read: (field: Reader) => T): T | undefined {
    const field = this.at(key);
    return field.given ? read(field) : undefined;
  }
}

/** The object without the fields that are undefined. */
export function defined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
