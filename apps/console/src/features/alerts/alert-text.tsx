import { alertKind } from '../../alert-kinds/alert-kinds.js';
import { endingOf, endingText } from '../../alert-kinds/endings.js';
import type { Alert } from '../../api/schema.js';
import { Trans } from 'react-i18next';
import { useNow } from '../../time/clock.js';
import { dayAndTime } from '../../time/format.js';
import { Moment, useZone } from '../../time/Moment.js';
import { Marked } from '../../ui/Mark.js';
import { actorName } from '../bottle/reported-text.js';
import { t } from '../../i18n/i18n.js';

/** A short description of an alert: `Dose of 08:00 CET not taken`. */
export function AlertTitle({ alert: { kind, subject } }: { alert: Pick<Alert, 'kind' | 'subject'> }) {
  const zone = useZone();
  const present = useNow();
  const at = Date.parse(subject);
  return alertKind(kind).title(Number.isNaN(at) ? undefined : dayAndTime(at, zone, present));
}

/** Whether staff can act on an alert. */
export const isActive = ({ state }: Pick<Alert, 'state'>): boolean =>
  state === 'open' || state === 'acknowledged';

/** An alert's state: who acknowledged it, until when it is snoozed, and how it ended. */
export function AlertState({ alert }: { alert: Alert }) {
  const present = useNow();
  const ending = endingOf(alert);
  const text = alertStateText(alert, present);
  return (
    <>
      {ending ? <Marked of={ending}>{text}</Marked> : text}
      {alert.snoozed_until && Date.parse(alert.snoozed_until) > present && (
        <>
          {' '}
          <Trans i18nKey="until <at/>" components={{ at: <Moment at={alert.snoozed_until} /> }} />
        </>
      )}
    </>
  );
}

/** An alert's state and who acknowledged it; of one that has ended or is closed, how, by whom and why. */
export function alertStateText(alert: Alert, present: number): string {
  const { state, snoozed_until, acknowledged_by, acknowledged_by_name } = alert;
  switch (state) {
    case 'open':
      return snoozed_until && Date.parse(snoozed_until) > present ? t('Snoozed') : t('Open');
    case 'acknowledged':
      return acknowledged_by
        ? t('Acknowledged by {{name}}', { name: actorName(acknowledged_by, acknowledged_by_name) })
        : t('Acknowledged');
    default:
      return endingText(alert) ?? state;
  }
}
