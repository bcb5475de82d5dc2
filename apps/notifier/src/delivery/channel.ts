import type { EndpointHold, Language, Message, WebhookType } from '#domain';
import type { ContactDetails, Delivery } from '#persistence';

/** One message to one recipient over one channel. */
export interface Notification {
  delivery: Delivery;
  message: Message;
  /** The page on which its recipient stops messages to the address; absent without links, and for the operator. */
  stopUrl?: string | undefined;
  /** When the attempt began. */
  at: Date;
  /** Of the attempt, if it is traced. */
  traceparent?: string | undefined;
}

/** Something that the operator is notified of, as the webhook has it. */
export interface OperatorEvent {
  type: WebhookType;
  timestamp: string;
  data: object;
}

/** One way to send notifications. Its folder holds all that is particular to it. */
export interface Channel {
  /** Its name in `deliveries`, metrics and job names. */
  readonly name: string;
  /** True when several notifications to one recipient are sent as one message. */
  readonly digests: boolean;
  /** True when the limit of messages is one of each address: several contacts may have the same. */
  readonly limitsAddresses?: true;
  /** How many messages one notifier sends at the same time. */
  readonly concurrency: number;
  /** An attempt is ended after this time; none begins under a lease that ends sooner. Milliseconds. */
  readonly timeLimitMs: number;
  /** Whether messages go over it: the settings that it needs are there. */
  readonly isSetUp: boolean;
  /** Why what is owed over it waits, whoever it is for. */
  readonly hold?: EndpointHold | undefined;
  /**
   * Sends notifications to one recipient. Their ids go with them, so that a receiver can drop a repeat.
   *
   * @param notifications one, or several for a channel that digests.
   * @param contact undefined for the operator, or when the contact was deleted.
   * @param signal aborts when {@link timeLimitMs} is over; then the connection is closed.
   * @throws DeliveryError
   */
  send(
    notifications: readonly [Notification, ...Notification[]],
    contact: ContactDetails | undefined,
    signal: AbortSignal,
  ): Promise<Sent>;
  /**
   * Sends a message that says that it is a test and contains nothing about a patient. Absent if nobody receives messages
   * over this channel.
   *
   * @param contact undefined for an endpoint.
   * @throws DeliveryError
   */
  sendTest?(id: string, contact: ContactDetails | undefined, signal: AbortSignal): Promise<Sent>;
  /** Whether the operator is notified there of something of this type; absent: of everything. */
  wants?(type: WebhookType): boolean;
  /**
   * Asks an address whether it is the right one, by a message with a link and nothing about a patient. Absent if the
   * channel's addresses need no verification, or if the channel is not set up.
   *
   * @param language of the person; undefined: English
   * @throws DeliveryError
   */
  readonly verifyAddress?:
    | ((address: string, link: string, language: Language | undefined, signal: AbortSignal) => Promise<Sent>)
    | undefined;
  /**
   * Notifies the operator's program of something that is about no bottle. Absent if the channel does not lead there.
   *
   * @param id the same in every attempt
   * @throws DeliveryError
   */
  notifyOperator?(id: string, event: OperatorEvent, signal: AbortSignal): Promise<void>;
  /**
   * Sends a member of staff a text that is about nobody. Absent if the channel does not lead to them.
   *
   * @throws DeliveryError
   */
  notifyStaff?(
    to: { email: string; language?: Language },
    text: { title: string; lines: string[] },
    signal: AbortSignal,
  ): Promise<void>;
  /** Asks whether the receiver answers, without sending a message. A rejection means no. */
  answers(signal: AbortSignal): Promise<boolean>;
}

/** An address takes no messages: trying again cannot help. */
export interface RefusedAddress {
  /** The host that refused it. */
  by: string;
  reply: string;
}

/** What became of an attempt that did not fail. */
export interface Sent {
  /** The receiver's status, if the channel has such a thing. */
  status?: number;
  /** Only a receipt says whether it arrived: that it was accepted does not. */
  awaitsReceipt?: true;
}

/** An attempt failed. */
export class DeliveryError extends Error {
  /** True when trying again cannot help. */
  readonly permanent: boolean;
  /** True when the message certainly did not arrive, such as when there was no connection. */
  readonly unsent: boolean;
  /** The receiver's answer; undefined when there was none. */
  readonly status: number | undefined;
  /** Present when it is the address that was refused. */
  readonly refusal: RefusedAddress | undefined;
  /** How long the receiver asks to wait; undefined if it does not say. Milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    how: {
      permanent?: boolean;
      unsent?: boolean;
      status?: number | undefined;
      refusal?: RefusedAddress | undefined;
      retryAfterMs?: number | undefined;
    } = {},
  ) {
    super(message);
    this.name = 'DeliveryError';
    this.permanent = how.permanent ?? false;
    this.unsent = how.unsent ?? false;
    this.status = how.status;
    this.refusal = how.refusal;
    this.retryAfterMs = how.retryAfterMs;
  }
}
