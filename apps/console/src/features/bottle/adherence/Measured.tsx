import type { ReactNode } from 'react';
import { Trans } from 'react-i18next';
import type { Initiation } from '../../../api/schema.js';
import { Moment } from '../../../time/Moment.js';
import { t } from '../../../i18n/i18n.js';

/** When a treatment began. */
export function FirstDose({ first_dose_at: at }: Initiation) {
  return at === null ? t('none', { context: 'dose' }) : <Moment at={at} />;
}

/** A figure with people's word, beside the measured one. */
export function WithReports({ children }: { children: ReactNode }) {
  return <Trans i18nKey="With reports: <what/>" components={{ what: <>{children}</> }} />;
}
