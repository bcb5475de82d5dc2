/** The notification channels of the console. A new one needs a field, a name and an entry in the list below. */

/** The fields of a contact that say over which channels someone is notified. */
export interface ContactAddresses {
  /** The operator's webhook, which knows the person. */
  webhook?: boolean;
  email?: string;
}

/** A channel's name in a sentence. */
export const CHANNEL_NAMES: Record<string, string> = {
  webhook: 'webhook',
  email: 'e-mail',
  console: 'console',
};

interface AddressField {
  key: keyof ContactAddresses;
  title: string;
  /** The label in the editor, if it differs from the title. */
  label?: string;
  input: 'switch' | 'email' | 'tel';
}

/** The fields above, in display order. */
export const ADDRESS_FIELDS: readonly AddressField[] = [
  { key: 'webhook', title: 'Webhook', label: 'Notify through the operator’s webhook', input: 'switch' },
  { key: 'email', title: 'E-mail', input: 'email' },
];
