import type { Clock } from '#platform';
import type { ChannelName } from '../file/format.js';

/** A message as it was first received. */
export interface HeardMessage {
  id: string;
  at: Date;
  channel: ChannelName;
  bottle_id: string;
  kind: string;
  event: string;
}

/** What all receivers have heard, repeated ids dropped, by the scenario's clock. */
export class MessageLog {
  /** Things that a receiver could not make sense of. */
  readonly problems: string[] = [];
  /** How often a message was received again. */
  repeats = 0;
  private readonly heard = new Map<string, HeardMessage>();

  constructor(private readonly clock: Clock) {}

  get messages(): HeardMessage[] {
    return [...this.heard.values()];
  }

  record(message: Omit<HeardMessage, 'at'>): void {
    if (this.heard.has(message.id)) this.repeats += 1;
    else this.heard.set(message.id, { ...message, at: this.clock.now() });
  }
}
