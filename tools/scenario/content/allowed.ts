/** What a field of a message may say. */
export interface Allowed {
  /** Of an object: its fields, if it has to have exactly those. */
  fields?: AllowedFields;
  allows: (value: unknown) => boolean;
  /** For a difference: `1`, `one of ...`. */
  text: string;
  /** Whether it may be absent. */
  optional?: true;
}

export type AllowedFields = Record<string, Allowed>;

export function exactly(value: unknown): Allowed {
  const text = JSON.stringify(value);
  return { allows: (shown) => JSON.stringify(shown) === text, text };
}

export function oneOf(values: readonly unknown[]): Allowed {
  const texts = values.map((value) => JSON.stringify(value));
  return {
    allows: (shown) => texts.includes(JSON.stringify(shown)),
    text: texts.length === 1 ? texts[0]! : `one of ${texts.join(', ') || 'nothing'}`,
  };
}

/** @param moments epoch milliseconds */
export function timeOf(...moments: readonly (number | undefined)[]): Allowed {
  return oneOf(
    [...new Set(moments)].filter((at) => at !== undefined).map((at) => new Date(at).toISOString()),
  );
}

export function between(from: number, to: number): Allowed {
  return {
    allows: (shown) => typeof shown === 'number' && from <= shown && shown <= to,
    text: `from ${from} to ${to}`,
  };
}

/** Times in ISO 8601, both bounds included. @param from and `to`: epoch milliseconds */
export function timeBetween(from: number, to: number): Allowed {
  const iso = (at: number): string => new Date(at).toISOString();
  return {
    allows: (shown) => typeof shown === 'string' && iso(from) <= shown && shown <= iso(to) && isTime(shown),
    text: `a time from ${iso(from)} to ${iso(to)}`,
  };
}

export function matching(pattern: RegExp): Allowed {
  return { allows: (shown) => typeof shown === 'string' && pattern.test(shown), text: String(pattern) };
}

export function each({ allows, text }: Allowed): Allowed {
  return {
    allows: (shown) => Array.isArray(shown) && shown.every(allows) && new Set(shown).size === shown.length,
    text: `each ${text}`,
  };
}

export function optional(allowed: Allowed): Allowed {
  return { ...allowed, optional: true };
}

/** All fields of an object. */
export function fields(allowed: AllowedFields): Allowed {
  return {
    fields: allowed,
    allows: (shown) =>
      typeof shown === 'object' && shown !== null && differencesIn(shown, allowed).length === 0,
    text: Object.entries(allowed)
      .map(([name, { text }]) => `${name} ${text}`)
      .join(', '),
  };
}

/** What shows only a part of a field, or of its fields. */
export function partOf({ fields: inner, ...allowed }: Allowed): Allowed {
  return { ...allowed, ...(inner && fields(partsOf(inner))), optional: true };
}

export function partsOf(allowed: AllowedFields): AllowedFields {
  return Object.fromEntries(Object.entries(allowed).map(([name, one]) => [name, partOf(one)]));
}

/** What an object says otherwise, or says and need not, or leaves out. */
export function differencesIn(shown: object, allowed: AllowedFields): string[] {
  const values = shown as Record<string, unknown>;
  return [
    ...Object.keys(values)
      .filter((name) => allowed[name] === undefined)
      .map((name) => `${name} is ${JSON.stringify(values[name])}, and nothing in the scenario says so`),
    ...Object.entries(allowed).flatMap(([name, { allows, text, optional: mayLack }]) => {
      const value = values[name];
      if (value === undefined) return mayLack ? [] : [`${name} is absent, expected ${text}`];
      return allows(value) ? [] : [`${name} is ${JSON.stringify(value)}, expected ${text}`];
    }),
  ];
}

function isTime(text: string): boolean {
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString() === text;
}
