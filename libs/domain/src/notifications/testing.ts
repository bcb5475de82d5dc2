import { idOf } from '../bottle-state/testing.js';
import type { Attempt, Delivery } from './delivery.js';
import type { NotificationEvent } from './notification-events.js';

export const NOW = new Date('2026-03-02T08:00:00Z');

/** This many seconds after {@link NOW}. */
export const at = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);

/** The alert that {@link delivery} is about. */
export const ALERT = idOf(0xa1);
export const BOTTLE = idOf(0xb1);

export const NO_ANSWER: Attempt = { at: at(-60), ok: false, error: 'no answer in time' };
export const REFUSED: Attempt = { at: at(-60), ok: false, error: 'ECONNREFUSED', unsent: true };

/** A notification to a user, which is due: what began the alert before its reminders, and these before its end. */
export function delivery(event: NotificationEvent, more: Partial<Delivery> = {}): Delivery {
  return {
    _id: `${event} ${more.recipient ?? ''}`,
    alert_id: ALERT,
    bottle_id: BOTTLE,
    kind: 'bottle_open',
    event,
    step: event,
    recipient: 'user:anna',
    channel: 'webhook',
    status: 'pending',
    attempts: [],
    next_attempt_at: NOW,
    created_at: event === 'raised' ? at(-100) : event === 'escalated' ? at(-80) : at(-50),
    ...more,
  };
}
