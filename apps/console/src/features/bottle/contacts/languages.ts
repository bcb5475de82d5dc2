import type { ContactDetails } from '../../../api/schema.js';
import { t } from '../../../i18n/i18n.js';

/** The languages of the pages behind the links in messages. */
export const LANGUAGE_LABELS: Readonly<Record<NonNullable<ContactDetails['language']>, string>> = {
  en: t('English'),
  de: t('German'),
};
