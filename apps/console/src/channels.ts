import type { Instant } from './api/vocabulary.js';
import { t } from './i18n/i18n.js';

/** The fields of a contact that say who it is, and over which channels someone is notified. */
export interface ContactAddresses {
  /** For staff. */
  name?: string;
  phone?: string;
  /** The operator's webhook, which knows the person. */
  webhook?: boolean;
  email?: string;
  /** Staff know that the address is the person's. */
  email_verified?: boolean;
  email_verified_at?: Instant;
  sms?: string;
  sms_verified?: boolean;
  sms_verified_at?: Instant;
  /** Browsers of theirs show messages. */
  push?: boolean;
}

/** The channels with an address of the person, in the field of the channel's name. */
type AddressChannel = 'email' | 'sms';

interface ChannelEntry {
  /** In a sentence. */
  name: string;
  /** Whether someone with these details is notified over it. Absent if no contact is. */
  serves?: (details: ContactAddresses) => boolean;
}

const CHANNELS: Record<string, ChannelEntry> = {
  email: { name: t('e-mail'), serves: (of) => isVerified('email', of) },
  sms: { name: t('SMS'), serves: (of) => isVerified('sms', of) },
  push: { name: t('browser'), serves: ({ push }) => push === true },
  webhook: { name: t('webhook'), serves: ({ webhook }) => webhook === true },
  console: { name: t('console') },
};

function isVerified(channel: AddressChannel, details: ContactAddresses): boolean {
  return Boolean(details[channel] && details[`${channel}_verified_at`]);
}

/** A channel's name in a sentence, of an endpoint of webhooks with the end of its id; that of one that only a newer server knows, as it is. */
export function channelName(channel: string): string {
  const [kind, endpoint] = channel.split(':');
  if (kind === 'webhook' && endpoint !== undefined)
    return t('webhook {{endpoint}}', { endpoint: endpoint.slice(-6) });
  return CHANNELS[channel]?.name ?? channel;
}

/** The channels over which someone with these details is notified. */
export function channelsOf(details: ContactAddresses): string[] {
  return Object.keys(CHANNELS).filter((channel) => CHANNELS[channel]!.serves?.(details));
}

interface AddressField {
  key: 'name' | 'phone' | 'webhook' | AddressChannel;
  title: string;
  /** The label in the editor, if it differs from the title. */
  label?: string;
  input: 'switch' | 'email' | 'tel' | 'text';
}

/** An address to which nothing is sent before it is verified. */
interface VerifiedField extends AddressField {
  key: AddressChannel;
  verification: {
    /** Of the switch with which staff say that they know it. */
    label: string;
    /** What happens otherwise. */
    description: string;
    /** What is so while it is not. */
    missing: string;
  };
}

/** The fields above, in display order. */
export const ADDRESS_FIELDS: readonly (AddressField | VerifiedField)[] = [
  { key: 'name', title: t('Name'), input: 'text' },
  { key: 'phone', title: t('Phone'), label: t('Phone, for staff'), input: 'tel' },
  { key: 'webhook', title: t('Webhook'), label: t('Notify through the operator’s webhook'), input: 'switch' },
  {
    key: 'email',
    title: t('E-mail'),
    input: 'email',
    verification: {
      label: t('The e-mail address is verified'),
      description: t('Otherwise a mail asks the recipient to confirm it, and no message goes there before.'),
      missing: t('No message goes to this e-mail address before it is confirmed'),
    },
  },
  {
    key: 'sms',
    title: t('Number for SMS'),
    label: t('Number for SMS, such as +4915112345678'),
    input: 'tel',
    verification: {
      label: t('The number is verified'),
      description: t('Otherwise an SMS asks the recipient to confirm it, and no message goes there before.'),
      missing: t('No message goes to this number before it is confirmed'),
    },
  },
];

function needsVerification(field: AddressField): field is VerifiedField {
  return 'verification' in field;
}

/** The fields with an address of these details that is not verified. */
export function unverifiedFields(details: ContactAddresses): VerifiedField[] {
  return ADDRESS_FIELDS.filter(needsVerification).filter(
    ({ key }) => details[key] && !details[`${key}_verified_at`],
  );
}

/** The details with another address, or without one if it is empty: what was verified is not any more. */
export function withAddress<T extends ContactAddresses>(details: T, field: AddressField, entered: string): T {
  const others = { ...details };
  delete others[field.key];
  if (needsVerification(field)) delete others[`${field.key}_verified_at`];
  const address = enteredAs(field, entered);
  return address === '' ? others : { ...others, [field.key]: address };
}

function enteredAs({ key, input }: AddressField, entered: string): string {
  if (key === 'sms') return entered.replaceAll(/[ ()./-]/g, '');
  return input === 'email' ? entered.trim() : entered.trimStart();
}
