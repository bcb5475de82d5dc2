/** A part of a shape, 16 by 16: a line, an area when `filled`, or a line cut out of the area below it. */
export interface Path {
  d: string;
  as?: 'filled' | 'cut';
  /** Of the line. */
  width?: number;
  dashes?: string;
}

const DISC = 'M15 8A7 7 0 1 1 1 8a7 7 0 0 1 14 0Z';
export const RING = 'M14.2 8A6.2 6.2 0 1 1 1.8 8a6.2 6.2 0 0 1 12.4 0Z';
const SQUARE = 'M4.2 1.2h7.6a3 3 0 0 1 3 3v7.6a3 3 0 0 1-3 3H4.2a3 3 0 0 1-3-3V4.2a3 3 0 0 1 3-3Z';
const TRIANGLE = 'M8 1.2 15.2 14a.7.7 0 0 1-.6 1H1.4a.7.7 0 0 1-.6-1Z';
const POT = 'M3.6 6.6h8.8v6.2a1.8 1.8 0 0 1-1.8 1.8H5.4a1.8 1.8 0 0 1-1.8-1.8Z';
const QUESTION = 'M6.3 6.6c0-2 3.5-2 3.5.1 0 1.2-1.8 1.2-1.8 2.5M8 11.3v.1';

/** Shapes carry the meaning without colour. */
export const SHAPES = {
  check: [
    { d: DISC, as: 'filled' },
    { d: 'm4.9 8.3 2.1 2.1 4.1-4.6', as: 'cut' },
  ],
  'check-ring': [{ d: RING }, { d: 'm5.2 8.2 2 2 3.7-4.2' }],
  clock: [
    { d: DISC, as: 'filled' },
    { d: 'M8 4.2V8l2.6 1.7', as: 'cut' },
  ],
  ring: [{ d: RING }],
  'clock-ring': [{ d: RING }, { d: 'M8 4.6V8l2.4 1.6' }],
  warning: [
    { d: TRIANGLE, as: 'filled' },
    { d: 'M8 6v4M8 12.4v.1', as: 'cut' },
  ],
  'lid-off': [{ d: POT }, { d: 'm3.4 3.9 8.2-2.3', width: 2.4 }],
  slashed: [{ d: RING }, { d: 'm3.9 3.9 8.2 8.2' }],
  question: [
    { d: RING, dashes: '2.4 2.5' },
    { d: QUESTION, width: 1.4 },
  ],
  cross: [
    { d: SQUARE, as: 'filled' },
    { d: 'm5.2 5.2 5.6 5.6m0-5.6-5.6 5.6', as: 'cut' },
  ],
  half: [{ d: RING }, { d: 'M8 1.8a6.2 6.2 0 0 1 0 12.4Z', as: 'filled' }],
  tick: [{ d: 'm3.4 8.6 3.2 3.2 6-7.2', width: 2.2 }],
  skip: [{ d: RING }, { d: 'm5.2 5.4 2.8 2.6-2.8 2.6M10.4 5.4v5.2' }],
  minus: [{ d: RING }, { d: 'M5 8h6' }],
} satisfies Record<string, Path[]>;
