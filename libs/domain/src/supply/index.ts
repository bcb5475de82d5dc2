export { judgeCount, WEIGHINGS_LOOKED_AT } from './count-mismatch.js';
export type { CountComparison } from './count-mismatch.js';
export { daysOfSupply, judgeLowSupply, pillsNeeded } from './low-supply.js';
export type { LowSupply, LowSupplyState, Need, SlotProgress, Supply } from './low-supply.js';
export { learnPillWeight, weighOnePill } from './pill-weight.js';
export type { BottleWeight, PillWeight } from './pill-weight.js';
export { agrees, differenceOf, toleranceOf } from './tolerance.js';
export { isWeighed } from './weighing.js';
export type { Weighing } from './weighing.js';
