/** Decimal, as disks are sold and as the lab counts. */
const UNITS = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, PB: 1e15 } as const;

type Unit = keyof typeof UNITS;

/** Reads `500GB` or `2 TB`. @returns bytes, or undefined when it is no size above 0. */
export function parseBytes(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*([KMGTP]?B)$/i.exec(text.trim()) ?? [];
  const bytes = Number(amount) * UNITS[unit?.toUpperCase() as Unit];
  return bytes > 0 ? bytes : undefined;
}

/** Bytes for a person: `84 GB`, `1.0 TB`. */
export function bytes(count: number): string {
  const units = Object.entries(UNITS);
  const [unit, size] = units.findLast(([, size]) => count >= size * 0.9995) ?? units[0]!;
  return `${figure(count / size)} ${unit}`;
}

/** A rate for a person: `16,667/s`, `0.02/s`. */
export function perSecond(rate: number): string {
  return `${figure(rate)}/s`;
}

/** A number with two significant digits or more, and thousands apart; a small whole one as it is. */
export function figure(value: number): string {
  if (Number.isInteger(value) && value < 10) return String(value);
  const digits = value >= 10 ? 0 : value >= 0.995 ? 1 : 2;
  return value < 0.005
    ? value.toPrecision(1)
    : value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
