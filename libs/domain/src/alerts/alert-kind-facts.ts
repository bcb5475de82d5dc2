import type { English, Say, Phrases } from '../language/phrases.js';
import type { NotificationEvent } from '../notifications/notification-events.js';
import type { Endings } from './endings.js';
import type { EvidenceFields } from './evidence-fields.js';

/** The check that finds and ends the alerts of a kind. */
export type FoundBy = 'silence' | 'lid' | 'doses';

/** What a notification says of an alert. */
export interface ContentOf<E> {
  event: NotificationEvent;
  subject: string;
  evidence: E;
}

/**
 * What the domain knows of one kind of alert: its facts, its evidence, how it ends, and the texts of its notifications.
 * What staff read is in the console's entry.
 *
 * @typeParam E its evidence
 */
export interface AlertKindFacts<E> {
  /** In a few phrases, for a person who is not staff. */
  title: English;
  /** Name of its series in the fleet's charts. */
  series: string;
  /** Place in the list of alerts that need attention; 0 comes first. */
  urgency: number;
  /** What the rule saw and with which numbers it decided; a list of them if it has several rules. */
  evidence: EvidenceFields | Readonly<Record<string, EvidenceFields>>;
  /** The check whose look its notifications wait for, if the bottle has reported since. */
  foundBy?: FoundBy;
  /** Quiet hours do not defer its notifications. By evidence, where not all are so urgent. */
  critical?: true | ((evidence: E) => boolean);
  /** The recipient's hourly limit does not delay its notifications. */
  unthrottled?: true;
  /** Its condition comes and goes by itself, so its end is held down. Other kinds have a hysteresis. */
  canFlap?: true;
  /** While it lasts, whoever was notified is notified every 24 h of the doses that it has come to hide since. */
  daily?: true;
  /** `DISABLED_ALERTS` may name it. */
  optional?: true;
  /** An open or dismissed fleet incident holds its notifications back. */
  heldByFleetIncident?: true;
  /** Only staff end it: its condition is an event that is over. */
  endsByStaff?: true;
  /** It is about the whole fleet: staff confirm or dismiss it. */
  aboutFleet?: true;
  /** Its end is sent even if its start did not arrive, or was over before it was sent. */
  endStandsAlone?: true;
  /** Its cause is an action of the bottle: `cause` is the action's time. */
  causedByAction?: true;
  /** Its messages ask what became of the dose: recipients can state it. By evidence, where not all are about a dose. */
  asksForDose?: true | ((evidence: E) => boolean);
  /** Nobody but the operator can do anything about it: it goes there, once, whatever the user's policy is. */
  goesToOperator?: true;
  /**
   * Nothing is wrong: it reminds the user of a dose, by the steps that remind, until the dose is taken or late. It goes to
   * nobody else, its end to nobody, and staff have nothing to do with it.
   */
  reminds?: true;
  /** A person calls the others of the plan: all steps are due at once, and nothing goes to whoever calls. */
  calls?: true;
  /** It has the escalation policy of another kind. */
  policyOf?: 'missed_dose';
  /** How its condition can end; absent if it cannot. */
  endings?: Endings<E>;
  /**
   * Titles by event, where they differ from the event's own in the catalogue of events. `raised` is {@link title}, and
   * so is `escalated` unless given. Titles name no medication: a locked phone shows them to whoever looks.
   */
  titles?: Partial<Record<NotificationEvent, English | ((evidence: E, say: Say) => string | undefined)>>;
  /** Sentences of the body that only this kind has. */
  lines?: (content: ContentOf<E>, phrases: Phrases) => string[];
  /** What a closing by staff does not say: the condition may last. */
  afterClosing?: English;
}
