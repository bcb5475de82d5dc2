export { findAlternatingHeartbeats, findDoubtfulCounts } from './doubtful-counts.js';
export type { CountedAction, DoubtfulCount, TwoCounts } from './doubtful-counts.js';
