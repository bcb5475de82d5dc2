import type { ReactNode } from 'react';
import classes from './Mark.module.css';

/** The tones of tokens.css. */
export type Tone = 'ok' | 'open' | 'late' | 'silent' | 'unknown';

type Shape =
  'check' | 'check-ring' | 'clock' | 'warning' | 'lid-off' | 'slashed' | 'question' | 'cross' | 'half';

const line = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.6,
  strokeLinecap: 'round',
} as const;
const cut = {
  fill: 'none',
  stroke: 'var(--mark-cut, var(--surface))',
  strokeWidth: 1.7,
  strokeLinecap: 'round',
} as const;

/** Shapes carry the meaning without colour. 16 by 16. */
const SHAPES: Record<Shape, ReactNode> = {
  check: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path d="m4.9 8.3 2.1 2.1 4.1-4.6" {...cut} strokeLinejoin="round" />
    </>
  ),
  'check-ring': (
    <>
      <circle cx="8" cy="8" r="6.2" {...line} />
      <path d="m5.2 8.2 2 2 3.7-4.2" {...line} strokeLinejoin="round" />
    </>
  ),
  clock: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path d="M8 4.2V8l2.6 1.7" {...cut} strokeLinejoin="round" />
    </>
  ),
  warning: (
    <>
      <path d="M8 1.2 15.2 14a.7.7 0 0 1-.6 1H1.4a.7.7 0 0 1-.6-1Z" fill="currentColor" />
      <path d="M8 6v4M8 12.4v.1" {...cut} />
    </>
  ),
  'lid-off': (
    <>
      <path
        d="M3.6 6.6h8.8v6.2a1.8 1.8 0 0 1-1.8 1.8H5.4a1.8 1.8 0 0 1-1.8-1.8Z"
        {...line}
        strokeLinejoin="round"
      />
      <path d="m3.4 3.9 8.2-2.3" {...line} strokeWidth={2.4} />
    </>
  ),
  slashed: (
    <>
      <circle cx="8" cy="8" r="6.2" {...line} />
      <path d="m3.9 3.9 8.2 8.2" {...line} />
    </>
  ),
  question: (
    <>
      <circle cx="8" cy="8" r="6.2" {...line} strokeDasharray="2.4 2.5" />
      <path d="M6.3 6.6c0-2 3.5-2 3.5.1 0 1.2-1.8 1.2-1.8 2.5M8 11.3v.1" {...line} strokeWidth={1.4} />
    </>
  ),
  cross: (
    <>
      <rect x="1.2" y="1.2" width="13.6" height="13.6" rx="3" fill="currentColor" />
      <path d="m5.2 5.2 5.6 5.6m0-5.6-5.6 5.6" {...cut} />
    </>
  ),
  half: (
    <>
      <circle cx="8" cy="8" r="6.2" {...line} />
      <path d="M8 1.8a6.2 6.2 0 0 1 0 12.4Z" fill="currentColor" />
    </>
  ),
};

/** A part of a shape of its own, 16 by 16: a line, or an area when `filled`. */
interface Path {
  d: string;
  filled?: true;
  /** Of the line; 1.6 unless given. */
  width?: number;
}

export interface Meaning {
  label: string;
  tone: Tone;
  shape: Shape | Path[];
}

/** A shape in its colour, hidden from screen readers unless it has a label. */
export function Mark({
  of: { tone, shape },
  label,
  size = 16,
}: {
  of: Meaning;
  label?: string;
  size?: number;
}) {
  const named = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  return (
    <svg
      className={`${classes['mark']} ${classes[tone]}`}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      {...named}
    >
      {typeof shape === 'string' ? SHAPES[shape] : shape.map(draw)}
    </svg>
  );
}

function draw({ d, filled, width = 1.6 }: Path): ReactNode {
  return filled ? (
    <path key={d} d={d} fill="currentColor" />
  ) : (
    <path key={d} d={d} {...line} strokeWidth={width} strokeLinejoin="round" />
  );
}

/** A shape and its label. */
export function Marked({ of, children }: { of: Meaning; children?: ReactNode }) {
  return (
    <span className={classes['marked']}>
      <Mark of={of} />
      <span>{children ?? of.label}</span>
    </span>
  );
}

/** Falls back to the plain value if only a newer server knows it. */
export function meaningOf<K extends string>(table: Record<K, Meaning>, value: string): Meaning {
  return (table as Record<string, Meaning>)[value] ?? { label: value, tone: 'unknown', shape: 'question' };
}
