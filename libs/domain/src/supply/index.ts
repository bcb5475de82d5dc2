export { findDoubtfulCounts } from './doubtful-counts.js';
export type { CountedAction, DoubtfulCount } from './doubtful-counts.js';
