import type { Alert } from '../../api/types/alerts.js';
import { useNow } from '../../time/use-now.js';
import { useZone } from '../../time/zones.js';
import { alertTitle } from './words.js';

export function AlertTitle({ alert }: { alert: Pick<Alert, 'kind' | 'subject'> }) {
  return alertTitle(alert, useZone(), useNow());
}
