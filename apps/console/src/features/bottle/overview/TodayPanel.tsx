import { Trans } from 'react-i18next';
import type { TodaysDose } from '../../../api/schema.js';
import { useNow } from '../../../time/clock.js';
import { dayOnly } from '../../../time/format.js';
import { Moment, useZone } from '../../../time/Moment.js';
import { Marked, meaningOf } from '../../../ui/Mark.js';
import { DOSE_STATUS } from '../../../ui/meanings.js';
import { Panel } from '../../../ui/Panel.js';
import { useBottle } from '../queries.js';
import { BY_URGENCY, doseDetail, doseName, scheduleSentence } from '../today-text.js';
import { AttestMenu } from './AttestMenu.js';
import { ReportedLine } from './ReportedLine.js';
import classes from './TodayPanel.module.css';
import { t } from '../../../i18n/i18n.js';

/** The doses of the patient's local day, as the reports so far show them. */
export function TodayPanel() {
  const { bottle_id, today, time_zone, next_dose } = useBottle();
  const zone = useZone();
  const present = useNow();
  const { doses, schedule_state } = today;
  const sentence = scheduleSentence(today, present, zone);
  const hasUpcoming = doses.some(({ status }) => status === 'upcoming');
  return (
    <Panel title={t('Today')} aside={dayOnly(present, time_zone, present)}>
      <TodaysDoses doses={doses.map((dose) => ({ bottle_id, dose }))} />
      {sentence && <p className={classes['more']}>{sentence}</p>}
      {schedule_state === 'active' && doses.length === 0 && (
        <p className={classes['more']}>{t('No dose today.')}</p>
      )}
      {next_dose && !hasUpcoming && (
        <p className={classes['more']}>
          <Trans i18nKey="Next dose: <at/>." components={{ at: <Moment at={next_dose.scheduled_at} /> }} />
        </p>
      )}
    </Panel>
  );
}

interface DoseOfBottle {
  bottle_id: string;
  /** Where doses of several bottles are listed. */
  medication?: string;
  dose: TodaysDose;
}

/**
 * Doses of today, each with what people say about it; nothing if there are none. `r` records what they say about the
 * most urgent one of which nothing is reported.
 */
export function TodaysDoses({ doses }: { doses: readonly DoseOfBottle[] }) {
  const urgent = BY_URGENCY.map((status) =>
    doses.find(({ dose }) => dose.status === status && !dose.reported),
  ).find(Boolean);
  if (doses.length === 0) return null;
  return (
    <ul className={classes['doses']}>
      {doses.map((of) => (
        <TodaysDoseLine
          key={`${of.bottle_id} ${of.dose.scheduled_at}`}
          {...of}
          hasKey={of === (urgent ?? doses[0])}
        />
      ))}
    </ul>
  );
}

function TodaysDoseLine({ bottle_id, medication, dose, hasKey }: DoseOfBottle & { hasKey: boolean }) {
  const zone = useZone();
  const present = useNow();
  return (
    <li className={classes['dose']} data-status={dose.status}>
      <span className={classes['due']}>
        <Moment at={dose.scheduled_at} />
        {medication !== undefined && ` · ${medication}`}
      </span>
      <Marked of={meaningOf(DOSE_STATUS, dose.status)} />
      <span className={classes['detail']}>{doseDetail(dose, present, zone)}</span>
      <AttestMenu
        bottleId={bottle_id}
        dose={dose}
        name={doseName(dose.scheduled_at, medication, zone, present)}
        hasKey={hasKey}
      />
      <ReportedLine dose={dose} />
    </li>
  );
}
