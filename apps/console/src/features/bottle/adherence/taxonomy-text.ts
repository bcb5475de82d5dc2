import type { DrugHolidays, Implementation, Persistence, Ratio } from '../../../api/schema.js';
import { dayWithYear } from '../../../time/format.js';
import { numberText, t } from '../../../i18n/i18n.js';

/** `98 % (117 of 119 days)` */
export function daysText({ numerator, denominator, ratio }: Ratio): string {
  if (ratio === null) return t('none', { context: 'share' });
  return t('{{percent}} % ({{part}} of {{whole}} days)', {
    percent: Math.round(ratio * 100),
    part: numerator,
    whole: denominator,
  });
}

/** `Mar 3, 2026, discontinued` */
export function lastDoseText({ last_dose_on, discontinued }: Persistence): string {
  if (last_dose_on === null) return t('none', { context: 'dose' });
  const day = dayWithYear(Date.parse(`${last_dose_on}T12:00:00Z`), 'UTC');
  return discontinued ? t('{{day}}, discontinued', { day }) : day;
}

/** `2`, or `2, 1 more possible` where nobody knows of a dose. */
export function holidaysText({ count, possible }: DrugHolidays): string {
  if (possible === 0) return numberText(count);
  return t('{{sure}}, {{count, number}} more possible', { sure: numberText(count), count: possible });
}

/** What is in the share of days and what is not, as far as there is any. */
export function daysLeftOutTexts({ break_days, not_monitored_days, unknown_days }: Implementation): string[] {
  return [
    ...(break_days > 0
      ? [
          t('{{count, number}} days in a break, on which nothing is due, count as well.', {
            count: break_days,
          }),
        ]
      : []),
    ...(not_monitored_days > 0
      ? [t('{{count, number}} days were not monitored and do not count.', { count: not_monitored_days })]
      : []),
    ...(unknown_days > 0
      ? [
          t('{{count, number}} days with an unknown dose or from before the first report do not count.', {
            count: unknown_days,
          }),
        ]
      : []),
  ];
}
