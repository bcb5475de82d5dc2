/** The notification channels, for the whole console: a new one is a field below, a name, and an entry in the list. */

/** The fields of a contact that say over which channels someone is notified. */
export interface ContactAddresses {
  /** The operator's webhook, which knows the person. */
  webhook?: boolean;
  email?: string;
}

/** How a notification's channel is called in a sentence: "by e-mail". */
export const CHANNEL_NAMES: Record<string, string> = {
  webhook: 'webhook',
  email: 'e-mail',
  console: 'console',
};

interface AddressField {
  key: keyof ContactAddresses;
  title: string;
  /** Label of the editor's field, if other than the title. */
  label?: string;
  input: 'switch' | 'email' | 'tel';
}

/** The fields above, in the order in which the contact's page and its editor show them. */
export const ADDRESS_FIELDS: readonly AddressField[] = [
  { key: 'webhook', title: 'Webhook', label: 'By the operator’s webhook', input: 'switch' },
  { key: 'email', title: 'E-mail', input: 'email' },
];
