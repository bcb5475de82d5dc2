import type { BottlePlan } from './bottle-plan.js';
import type { Traffic } from './link.js';
import type { Handover } from './handovers.js';
import type { Retirement } from './retirements.js';
import type { BottleTruth, Span } from './oracle/facts.js';
import type { HelpCall } from './oracle/help.js';

/** What people answer on the pages behind the links of mails about doses of a bottle. */
export interface Answers {
  calls: HelpCall[];
  /** From a mail until the last button that is pressed on its page. */
  spans: Span[];
}

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
