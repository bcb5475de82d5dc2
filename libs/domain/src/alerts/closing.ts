import type { English, Say } from '../language/phrases.js';

/** Why staff close an alert, in the words of a message to people. The note is the reason of `other`. */
export const CLOSE_REASON_TEXTS = {
  device_fault: 'the device is faulty',
  duplicate: 'another alert is about the same',
  settled_by_phone: 'settled by phone',
  not_relevant: 'no action is needed',
  not_in_use: 'the bottle is no longer in use',
  other: undefined,
} as const satisfies Record<string, English | undefined>;

export type CloseReason = keyof typeof CLOSE_REASON_TEXTS;

export const CLOSE_REASONS = Object.keys(CLOSE_REASON_TEXTS) as [CloseReason, ...CloseReason[]];

/** Those that staff choose from: `not_in_use` is for the alerts of a bottle that leaves use. */
export const CHOSEN_CLOSE_REASONS = CLOSE_REASONS.filter((reason) => reason !== 'not_in_use');

/** How staff closed an alert. */
export interface Closing {
  /** The staff member's or API key's name. */
  by: string;
  at: Date;
  reason: CloseReason;
  /** Present with the reason `other`, which it words. With another reason only staff read it. */
  note?: string;
  /** Whether the people who were notified of the alert are notified of the closing. */
  notified: boolean;
}

/** The reason as people read it. */
export function closeReasonText({ reason, note }: Pick<Closing, 'reason' | 'note'>, say: Say): string {
  const text = CLOSE_REASON_TEXTS[reason];
  return text === undefined ? (note ?? say('other')) : say(text);
}
