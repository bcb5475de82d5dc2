import type { Delivery, DeliveryStatus } from '../../api/types/deliveries.js';
import { OUTCOME } from '../../ui/Mark.js';

type Meaning = (typeof OUTCOME)['missed'];

export const DELIVERY_STATUS: Record<DeliveryStatus, Meaning> = {
  delivered: { word: 'Delivered', tone: 'ok', shape: 'check' },
  pending: { word: 'On its way', tone: 'open', shape: 'clock' },
  dead: { word: 'Not delivered', tone: 'late', shape: 'cross' },
  cancelled: { word: 'Not sent', tone: 'unknown', shape: 'slashed' },
};

const EVENTS: Record<string, string> = {
  raised: 'the alert',
  escalated: 'the alert, again',
  missed: 'that it is missed for good',
  resolved: 'that it is over',
  retracted: 'that it was never true',
};

const CHANNELS: Record<string, string> = { webhook: 'webhook', email: 'e-mail', console: 'console' };

/** What a message says, to whom, and how it goes: `the alert, to user anna by e-mail`. */
export function messageWords({ event, recipient, channel }: Delivery): string {
  return `${EVENTS[event] ?? event}, to ${recipient.replace(':', ' ')} by ${CHANNELS[channel] ?? channel}`;
}
