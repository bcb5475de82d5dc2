import { ALERT_KINDS, type AlertKind } from '#persistence';
import { type Metric, REPORT_KEYS } from '../counting/reports.js';
import type { Series } from './columns.js';

const counted = (key: string, label: string, unit = 'count'): Series => ({ key, label, unit });

const REPORTS: Record<(typeof REPORT_KEYS)[number], Series> = {
  heartbeats: counted('heartbeats', 'Heartbeats'),
  opened: counted('opened', 'Opened'),
  closed: counted('closed', 'Closed'),
  pills_taken: counted('pills_taken', 'Pills taken', 'pills'),
};

const ALERTS: Record<AlertKind, string> = {
  missed_dose: 'Missed dose',
  bottle_open: 'Bottle open',
  bottle_silent: 'Bottle silent',
  extra_dose: 'Extra dose',
  count_mismatch: 'Count mismatch',
  low_supply: 'Low supply',
  fleet_incident: 'Fleet incident',
};

/** The series of each fleet chart, in the order in which they are shown. */
export const FLEET_SERIES: Record<Metric, Series[]> = {
  reports: REPORT_KEYS.map((key) => REPORTS[key]),
  doses: [
    counted('taken_on_time', 'On time'),
    counted('taken_early', 'Early'),
    counted('taken_late', 'Late'),
    counted('partial', 'Partial'),
    counted('missed', 'Missed'),
    counted('unknown', 'Unknown'),
  ],
  alerts: ALERT_KINDS.map((kind) => counted(kind, ALERTS[kind])),
  deliveries: [
    counted('delivered', 'Delivered'),
    counted('pending', 'Pending'),
    counted('dead', 'Dead'),
    counted('cancelled', 'Cancelled'),
  ],
};

export const LIVE_SERIES: Series[] = [
  REPORTS.heartbeats,
  REPORTS.opened,
  REPORTS.closed,
  counted('refused', 'Refused'),
];
