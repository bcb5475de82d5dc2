import type { AlertKind } from '../alert-kinds/alert-kinds.js';
import type { Id } from '../bottle-state/bottle-state.js';
import type { EscalationStep } from './escalation.js';
import type { EndEvent } from './notification-events.js';

/** What of an alert decides about its notifications. */
export interface NotifiedAlert<I extends Id = Id> {
  _id: I;
  bottle_id: I;
  user_id: string;
  kind: AlertKind;
  subject: string;
  state: string;
  open?: true;
  raised_at: Date;
  evidence: Record<string, unknown>;
  escalation: EscalationStep[];
  next_step_at?: Date;
  stepped_until?: Date;
  snoozed_until?: Date;
  clears_at?: Date;
  /** Of a silence: the doses that it came to hide after it was raised, and when. */
  doses_added?: { dose: Date; at: Date }[];
  closing?: object;
  end_owed?: EndEvent;
}

/** Whether people are still notified of an alert, and can act on it. */
export const isActive = ({ state }: Pick<NotifiedAlert, 'state'>): boolean =>
  state === 'open' || state === 'acknowledged';
