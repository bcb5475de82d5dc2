import type { Answers } from './answers.js';
import type { BottlePlan } from './bottle-plan.js';
import type { Traffic } from './link.js';
import type { Handover } from './handovers.js';
import type { Retirement } from './retirements.js';
import type { BottleTruth } from './oracle/facts.js';

/** One bottle, and what has to come of it. */
export interface GeneratedBottle {
  /** What people answer by links. */
  answers?: Answers;
  plan: BottlePlan;
  traffic: Traffic;
  truth: BottleTruth;
  /** When staff erase it; Infinity if never. */
  erasedAt: number;
  /** When staff retire it, and why. */
  retirement?: Retirement | undefined;
  /** When staff give it to another person. */
  handover?: Handover | undefined;
  /** When it is assigned after it left use: this is its second life, under a key of its own. */
  assignedAt?: number;
}
