export { judgeCountMismatch, MISMATCH_TOLERANCE } from './count-mismatch.js';
export type { MismatchResult, MismatchState, MismatchTolerance } from './count-mismatch.js';
export { daysOfSupply, judgeLowSupply } from './low-supply.js';
export type { LowSupply, LowSupplyState, Supply } from './low-supply.js';
export { isSettled, learnPillWeight } from './pill-weight.js';
export type { PillWeight, Weighing } from './pill-weight.js';
