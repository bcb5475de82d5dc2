import type { PersonalChannel, Recipient } from './contact-plan.js';
import type { ExpectedEnd, ExpectedFacts } from './facts.js';

/** A notification that must be received, between `at` and `by`. */
export interface ExpectedNotification {
  bottle: string;
  kind: string;
  event: 'raised' | 'escalated' | 'closed_by_staff' | NonNullable<ExpectedEnd['event']>;
  who: Recipient['who'];
  channel: PersonalChannel | 'push';
  /** Of a webhook: the endpoint, if it is not that of the settings. */
  endpoint?: string;
  /** The address of a mail, if it is certain. */
  email?: string;
  /** Of an SMS: to which number, and whether it still goes there if it is late. */
  sms?: { number: string; isCertain: boolean };
  at: number;
  by: number;
  facts: ExpectedFacts;
  /** Of a daily message: the doses that it names. */
  namedDoses?: readonly number[];
}

/** What is sent also to those who received no start. */
export const STAND_ALONE: ExpectedNotification['event'][] = [
  'missed',
  'partial',
  'summary',
  'unconfirmed',
  'not_taken_yet',
];
