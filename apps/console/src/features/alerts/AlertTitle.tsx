import type { Alert } from '../../api/types.js';
import { useNow } from '../../time/clock.js';
import { useZone } from '../../time/Moment.js';
import { alertTitle } from './words.js';

export function AlertTitle({ alert }: { alert: Pick<Alert, 'kind' | 'subject'> }) {
  return alertTitle(alert, useZone(), useNow());
}
