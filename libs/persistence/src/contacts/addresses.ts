import { DAY_MS, type Language, type Person, type QuietHours } from '#domain';
import { Prop } from '@nestjs/mongoose';

/**
 * The channels whose addresses staff enter. Nothing but one message that asks for the verification of the address goes
 * there before it is verified.
 */
export const ENTERED_CHANNELS = ['email', 'sms'] as const;
export type EnteredChannel = (typeof ENTERED_CHANNELS)[number];

/** The channels that send texts for people, each to an address that the contact has in the field of the channel's name. */
export const ADDRESS_CHANNELS = [...ENTERED_CHANNELS, 'push'] as const;
export type AddressChannel = (typeof ADDRESS_CHANNELS)[number];

/** The channels over which a contact can be notified. Webhooks carry data to the operator, who knows the person. */
export const CONTACT_CHANNELS = ['webhook', ...ADDRESS_CHANNELS] as const;
export type ContactChannel = (typeof CONTACT_CHANNELS)[number];

/** A browser that shows messages: a subscription of the Push API. */
export interface Browser {
  /** Where its push service takes messages: whoever knows it can try to send some. */
  endpoint: string;
  /** The browser's public key, and the secret that it shares with us: base64url (RFC 8291). */
  p256dh: string;
  auth: string;
  since: Date;
}

/** A browser of a person of a contact. */
export interface PushBrowser extends Browser {
  /** The address to which the link went on whose page it was added: while that is this person's, the browser is. */
  via: string;
}

/**
 * The addresses of one person. With each: when it was found to be the person's; null until then. Absent if a version
 * without verification wrote the contact: then it counts as verified.
 */
export class ContactAddresses {
  @Prop({ type: String })
  email?: string;

  @Prop({ type: Date })
  email_verified_at?: Date | null;

  /** Since when it is this address, or is not verified any more; absent of one from before this was kept. */
  @Prop({ type: Date })
  email_since?: Date;

  /** E.164: `+4915112345678`. */
  @Prop({ type: String })
  sms?: string;

  @Prop({ type: Date })
  sms_verified_at?: Date | null;

  @Prop({ type: Date })
  sms_since?: Date;

  /** Stands for the person's browsers: random, another once all of them were removed. */
  @Prop({ type: String })
  push?: string;

  @Prop({ type: Date })
  push_since?: Date;

  @Prop({ type: [Object], default: undefined })
  push_browsers?: PushBrowser[];
}

/** What refused an address for good, and its reply. */
export interface Refusal {
  /** Since when: the first refusal after which nothing arrived. */
  at: Date;
  /** The last one. */
  last_at: Date;
  /** The host that refused it. */
  by: string;
  reply: string;
}

/** Whether messages arrive at the addresses of one person, by channel. Of the webhook: whether it takes this person's. */
export interface AddressHealth {
  refused?: Partial<Record<ContactChannel, Refusal>>;
  /** Since when the person wants no messages there. */
  paused?: Partial<Record<AddressChannel, Date>>;
}

/** Over which channels one person is notified, where, and when not. */
export interface ContactDetails extends ContactAddresses, AddressHealth {
  /** As staff address the person. */
  name?: string;
  /** For staff; nothing is sent there. */
  phone?: string;
  /** By the operator's webhook, which knows the person. */
  webhook?: boolean;
  /** IANA name: the zone of the quiet hours and of the times in messages. */
  time_zone: string;
  quiet_hours?: QuietHours;
  /** Of messages, absent: English; and of the pages behind their links, absent: that of the browser. */
  language?: Language;
  /** Of a carer: since when it is this person. Absent if it has always been. */
  carer_since?: Date;
}

/** What a contact has of a carer, besides where they are notified. */
export interface CarerDetails extends ContactDetails {
  /** To the user, in the operator's words: `daughter`. */
  relation?: string;
  /** The groups that steps can name. */
  groups?: string[];
}

/** A carer of a contact. The id does not change while they are one; no other carer of the contact has it. */
export interface Carer extends CarerDetails {
  id: Person;
}

/** The field that says whether the address of a channel is verified. */
export function verifiedField<C extends EnteredChannel>(channel: C): `${C}_verified_at` {
  return `${channel}_verified_at`;
}

/** Whether a channel sends texts for people, and not data. */
export function isReadByPeople(channel: string): channel is AddressChannel {
  return (ADDRESS_CHANNELS as readonly string[]).includes(channel);
}

/** Whether the addresses of a channel are entered by staff, and verified. */
export function isEntered(channel: string): channel is EnteredChannel {
  return (ENTERED_CHANNELS as readonly string[]).includes(channel);
}

/** The address of a channel that a contact has, verified or not; undefined if it has none. */
export function storedAddress(channel: string, details: ContactAddresses): string | undefined {
  return isReadByPeople(channel) ? details[channel] : undefined;
}

/**
 * The address of a channel that a contact has and that nobody has verified; undefined if there is none, or if whoever has
 * it wants no messages.
 */
export function unverifiedAddress(
  channel: string,
  details: ContactAddresses & AddressHealth,
): string | undefined {
  if (!isEntered(channel) || isPaused(channel, details)) return undefined;
  return details[verifiedField(channel)] === null ? details[channel] : undefined;
}

/** The addresses of all channels that nobody has verified. */
export function unverifiedAddresses(details: ContactAddresses & AddressHealth): string[] {
  return ENTERED_CHANNELS.flatMap((channel) => unverifiedAddress(channel, details) ?? []);
}

/**
 * Where a channel reaches someone now; undefined if it does not: nothing goes to an address before it is verified. The
 * operator's webhook knows the person.
 */
export function addressOver(
  channel: string,
  details: ContactAddresses & Pick<ContactDetails, 'webhook'>,
): string | undefined {
  if (!isReadByPeople(channel)) return details.webhook === true ? '' : undefined;
  if (!isEntered(channel)) return browsersOf(details).length > 0 ? details.push : undefined;
  return details[verifiedField(channel)] === null ? undefined : details[channel];
}

/** The browsers that show the messages for a person: those that were added through an address that is still theirs. */
export function browsersOf(details: ContactAddresses): PushBrowser[] {
  const theirs = ENTERED_CHANNELS.map((channel) => addressOver(channel, details));
  return (details.push_browsers ?? []).filter(({ via }) => theirs.includes(via));
}

/** A refused address is tried again with what comes so long after its last refusal. Milliseconds. */
export const REFUSED_FOR_MS = DAY_MS;

/** Whether the person has paused the messages of a channel. */
export function isPaused(channel: string, { paused }: AddressHealth): boolean {
  return paused?.[channel as AddressChannel] !== undefined;
}

/** Whether nothing goes to an address at the moment: it was refused, or the person has paused it. */
export function isHeldBack(channel: string, details: AddressHealth, now: Date): boolean {
  const refusal = details.refused?.[channel as ContactChannel];
  const isRefused = refusal !== undefined && now.getTime() - refusal.last_at.getTime() < REFUSED_FOR_MS;
  return isRefused || isPaused(channel, details);
}
