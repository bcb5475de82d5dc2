import type { ReactNode } from 'react';
import classes from './Mark.module.css';
import { type Path, SHAPES } from './shapes.js';

/** The tones of tokens.css. */
export type Tone = 'ok' | 'open' | 'late' | 'silent' | 'unknown';

export interface Meaning {
  label: string;
  tone: Tone;
  shape: keyof typeof SHAPES | Path[];
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
      {(typeof shape === 'string' ? SHAPES[shape] : shape).map(draw)}
    </svg>
  );
}

function draw({ d, as, width, dashes }: Path): ReactNode {
  if (as === 'filled') return <path key={d} d={d} fill="currentColor" />;
  const [stroke, usual] = as === 'cut' ? ['var(--mark-cut, var(--surface))', 1.7] : ['currentColor', 1.6];
  return (
    <path
      key={d}
      d={d}
      fill="none"
      stroke={stroke}
      strokeWidth={width ?? usual}
      strokeDasharray={dashes}
      strokeLinecap="round"
      strokeLinejoin="round"
    />
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
