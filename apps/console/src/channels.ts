import { t } from './i18n/i18n.js';
/** The notification channels of the console. A new one needs a field and entries in the tables below. */

/** The fields of a contact that say who it is, and over which channels someone is notified. */
export interface ContactAddresses {
  /** For staff. */
  name?: string;
  phone?: string;
  /** The operator's webhook, which knows the person. */
  webhook?: boolean;
  email?: string;
}

interface ChannelEntry {
  /** In a sentence. */
  name: string;
  /** Whether someone with these details is notified over it. Absent if no contact is. */
  serves?: (details: ContactAddresses & { email_verified_at?: string }) => boolean;
}

const CHANNELS: Record<string, ChannelEntry> = {
  email: { name: t('e-mail'), serves: (of) => Boolean(of.email && of.email_verified_at) },
  webhook: { name: t('webhook'), serves: ({ webhook }) => webhook === true },
  console: { name: t('console') },
};

/** A channel's name in a sentence; that of one that only a newer server knows, as it is. */
export function channelName(channel: string): string {
  return CHANNELS[channel]?.name ?? channel;
}

/** The channels over which someone with these details is notified. */
export function channelsOf(details: Parameters<NonNullable<ChannelEntry['serves']>>[0]): string[] {
  return Object.keys(CHANNELS).filter((channel) => CHANNELS[channel]!.serves?.(details));
}

interface AddressField {
  key: keyof ContactAddresses;
  title: string;
  /** The label in the editor, if it differs from the title. */
  label?: string;
  input: 'switch' | 'email' | 'tel' | 'text';
}

/** The fields above, in display order. */
export const ADDRESS_FIELDS: readonly AddressField[] = [
  { key: 'name', title: t('Name'), input: 'text' },
  { key: 'phone', title: t('Phone'), label: t('Phone, for staff'), input: 'tel' },
  { key: 'webhook', title: t('Webhook'), label: t('Notify through the operator’s webhook'), input: 'switch' },
  { key: 'email', title: t('E-mail'), input: 'email' },
];
