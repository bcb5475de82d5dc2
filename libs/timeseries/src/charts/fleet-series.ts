import { ALERT_KINDS, alertKindFacts } from '#domain';
import { type Metric, REPORT_KEYS } from '../counting/reports.js';
import type { Series } from './columns.js';

const counted = (key: string, label: string, unit = 'count'): Series => ({ key, label, unit });

const REPORTS: Record<(typeof REPORT_KEYS)[number], Series> = {
  heartbeats: counted('heartbeats', 'Heartbeats'),
  opened: counted('opened', 'Opened'),
  closed: counted('closed', 'Closed'),
  pills_taken: counted('pills_taken', 'Pills taken', 'pills'),
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
  alerts: ALERT_KINDS.map((kind) => counted(kind, alertKindFacts(kind).series)),
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
