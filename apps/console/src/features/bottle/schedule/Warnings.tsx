import type { ScheduleWarning } from '../../../api/schema.js';
import { t } from '../../../i18n/i18n.js';
import { now } from '../../../time/clock.js';
import { dayAndTime, VIEWER_ZONE } from '../../../time/format.js';
import { durationText } from './schedule-text.js';
import classes from './ScheduleTab.module.css';

/** Why doses of an unsaved schedule cannot be judged well; it can be saved nevertheless. */
export function Warnings({
  warnings = [],
  zone = VIEWER_ZONE,
}: {
  warnings: readonly ScheduleWarning[] | undefined;
  zone?: string;
}) {
  return (
    <div role="status">
      {warnings.map((warning) => (
        <p key={`${warning.code} ${warning.no_dose_from}`} className={classes['warning']}>
          {warningText(warning, zone)}
        </p>
      ))}
    </div>
  );
}

function warningText(
  { code, text, doses_apart, no_dose_from, no_dose_until }: ScheduleWarning,
  zone: string,
): string {
  const apart = doses_apart === undefined ? '' : durationText(doses_apart);
  const moment = (iso: string | undefined) => dayAndTime(Date.parse(iso ?? ''), zone, now());
  switch (code) {
    case 'windows_overlap':
      return t(
        'Doses are {{apart}} apart, and their windows overlap by more than half: a pill may be counted for the wrong dose. A shorter dose window is judged better.',
        { apart },
      );
    case 'missed_after_next_dose':
      return t(
        'A dose is missed only after the next one is due, {{apart}} later. A shorter “Missed after” finds a missed dose in time.',
        { apart },
      );
    case 'ends_before_next_step':
      return t(
        'No dose is due from {{from}} until {{until}}: the step ends before the next one begins. For today alone, plan one dose, and a step that goes on after it.',
        { from: moment(no_dose_from), until: moment(no_dose_until) },
      );
    default:
      return text;
  }
}
