import { t } from './i18n/i18n.js';
/** The notification channels of the console. A new one needs a field, a name and an entry in the list below. */

/** The fields of a contact that say who it is, and over which channels someone is notified. */
export interface ContactAddresses {
  /** For staff. */
  name?: string;
  phone?: string;
  /** The operator's webhook, which knows the person. */
  webhook?: boolean;
  email?: string;
}

/** A channel's name in a sentence. */
export const CHANNEL_NAMES: Record<string, string> = {
  webhook: t('webhook'),
  email: t('e-mail'),
  console: t('console'),
};

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
