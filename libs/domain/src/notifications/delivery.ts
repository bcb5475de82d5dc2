import type { AlertKind } from '../alerts/alert-kinds.js';
import type { Id } from '../bottle-state/bottle-state.js';
import type { NotificationEvent } from './notification-events.js';
import type { Address } from './recipients.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead', 'cancelled'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One attempt to deliver, recorded when it begins, and its result. */
export interface Attempt {
  /** When it began. */
  at: Date;
  ok: boolean;
  /** The address that it goes to; absent over channels without one. */
  address?: string;
  /** HTTP status, when there was an answer. */
  status?: number;
  error?: string;
  /** It failed before anything was sent: the message certainly did not arrive. */
  unsent?: true;
  /** It began before its backoff was over, because the receiver answered again. */
  early?: true;
  /** Of a start or reminder of a `bottle_silent`: the doses that it names. Absent in records of earlier versions. */
  doses?: Date[];
}

/** What a receipt of a network says of a message that a gateway took. */
export const RECEIPT_STATES = ['accepted', 'delivered', 'failed', 'refused'] as const;

/** A receipt for an attempt: the phone has the message, or will not get it. */
export interface Receipt {
  /** The beginning of the attempt. */
  attempt_at: Date;
  /** When it came. */
  at: Date;
  /** `accepted`: the network has it; `failed`: not delivered this time; `refused`: the number takes no message. */
  state: (typeof RECEIPT_STATES)[number];
  /** In the network's words. */
  reply?: string;
}

/** The error of an attempt that has no result, or none yet. */
export const NO_RESULT = 'no result was recorded';

/**
 * One notification: one message to one recipient over one channel. It exists before the first attempt. `_id` is made
 * of alert, step and the first recipient and channel, and is sent along, so that a receiver can drop a repeat.
 */
export interface Delivery<I extends Id = Id> extends Address {
  /** Hex, 32 characters. */
  _id: string;
  alert_id: I;
  bottle_id: I;
  kind: AlertKind;
  event: NotificationEvent;
  /** The event, and later the step of the escalation. */
  step: string;
  /** To whom it is owed, if they could not be reached when it was queued: its recipient stands for them. */
  stands_for?: string;
  /** Where it was to go before, first to last: nobody was reached there any more when it was to be sent. */
  moved_from?: Address[];
  status: DeliveryStatus;
  /** Why it was cancelled, is dead, or was postponed since its last attempt. */
  reason?: string;
  attempts: Attempt[];
  /** The attempts before staff replayed it, or before it was moved to another address. */
  earlier_attempts?: Attempt[];
  /** Those that came for its attempts, oldest first. */
  receipts?: Receipt[];
  /** Present while a receipt changes what becomes of it. */
  receipt_due_at?: Date;
  /** Present while pending; while claimed, the end of the lease. */
  next_attempt_at?: Date;
  /**
   * Present while it waits for its backoff because the receiver was not available: from this time on it is sent as soon
   * as the receiver answers again.
   */
  retry_early_from?: Date;
  /** It is due before its backoff is over: the receiver answers again. */
  early?: true;
  /** It was delayed by its recipient's limit; that happens once. */
  throttled?: true;
  /** When it was sent to a person. Absent for the operator's notifications, which are not throttled. */
  told_at?: Date;
  /** The number to which it was sent, over a channel that limits the messages to a number. */
  told_to?: string;
  /** While a notifier has it: until its lease ends. */
  claim?: { token: string; until: Date };
  created_at: Date;
}

/** How an attempt, or the decision not to make one, leaves a notification. */
export type DeliveryResult =
  | { kind: 'delivered'; attempt: Attempt; toPerson: boolean; toNumber?: string | undefined }
  | { kind: 'retry'; attempt: Attempt; next_attempt_at: Date; retry_early_from?: Date | undefined }
  | { kind: 'refused'; attempt: Attempt; at: Date }
  | { kind: 'dead'; attempt?: Attempt; reason: string }
  | { kind: 'cancelled'; reason: string }
  | {
      kind: 'postponed';
      next_attempt_at: Date;
      reason: string;
      throttled?: true;
      /** It, where it goes meanwhile. */
      copies?: Delivery[];
    }
  | {
      kind: 'moved';
      to: Address;
      /** The further addresses of another person to whom it moves. */
      also?: Address[];
      /** It goes to whom it is owed, and never went to whoever stood for them. */
      returns?: true;
      at: Date;
      /** It, at the further addresses. */
      copies?: Delivery[];
    };

/**
 * Whether it was delivered, or sent without an answer: for example because the receiver was slow or the notifier was
 * killed (alertmanager#2657).
 */
export function mayHaveArrived({
  status,
  attempts,
  earlier_attempts = [],
}: Pick<Delivery, 'status' | 'attempts' | 'earlier_attempts'>): boolean {
  if (status === 'delivered') return true;
  return [...earlier_attempts, ...attempts].some(isUnanswered);
}

const isUnanswered = ({ ok, status, unsent }: Attempt): boolean => !ok && status === undefined && !unsent;

/** Its attempts that arrived, or may have. */
export function arrivedAttempts({ attempts }: Pick<Delivery, 'attempts'>): Attempt[] {
  return attempts.filter((attempt) => attempt.ok || isUnanswered(attempt));
}

/** Whether an attempt of a notification about a silence names a dose. */
export function names({ doses }: Attempt, dose: Date): boolean {
  return doses === undefined || doses.some((one) => one.getTime() === dose.getTime());
}

/** Whether a notifier may be sending it at this moment. */
export function isBeingSent({ claim }: Pick<Delivery, 'claim'>, now: Date): boolean {
  return claim !== undefined && claim.until > now;
}
