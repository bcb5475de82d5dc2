import type { ScheduleWarning } from '../../../api/schema.js';
import { t } from '../../../i18n/i18n.js';
import { durationText } from './schedule-text.js';
import classes from './ScheduleTab.module.css';

/** Why doses of an unsaved schedule cannot be judged well; it can be saved nevertheless. */
export function Warnings({ warnings = [] }: { warnings: readonly ScheduleWarning[] | undefined }) {
  return (
    <div role="status">
      {warnings.map((warning) => (
        <p key={warning.code} className={classes['warning']}>
          {warningText(warning)}
        </p>
      ))}
    </div>
  );
}

function warningText({ code, text, doses_apart }: ScheduleWarning): string {
  const apart = durationText(doses_apart);
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
    default:
      return text;
  }
}
