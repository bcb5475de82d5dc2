import type { Reported, Statement } from '../../../api/schema.js';
import { useNow } from '../../../time/clock.js';
import { useZone } from '../../../time/Moment.js';
import { reportedText, statementText } from '../reported-text.js';
import classes from './ReportedLine.module.css';
import { t } from '../../../i18n/i18n.js';

interface AttestedDose {
  reported: Reported | null;
  earlier_reports: Statement[];
}

/** What people say of a dose, beside what the bottle measured; nothing if nobody says anything. */
export function ReportedLine({ dose: { reported, earlier_reports } }: { dose: AttestedDose }) {
  const [zone, present] = [useZone(), useNow()];
  if (!reported) return null;
  return (
    <>
      <p className={classes['reported']}>{reportedText(reported, present, zone)}</p>
      {earlier_reports.map((earlier) => (
        <p key={earlier.id} className={classes['reported']}>
          {t('Before: {{statement}}.', { statement: statementText(earlier, present, zone) })}
        </p>
      ))}
    </>
  );
}
