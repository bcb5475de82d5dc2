import { Trans } from 'react-i18next';
import type { AnyDose } from '../../../api/vocabulary.js';
import { useNow } from '../../../time/clock.js';
import { Moment, useZone } from '../../../time/Moment.js';
import { Marked, meaningOf } from '../../../ui/Mark.js';
import { OUTCOME } from '../../../ui/meanings.js';
import { Panel } from '../../../ui/Panel.js';
import { useBottle } from '../queries.js';
import { doseName } from '../today-text.js';
import { AttestMenu } from './AttestMenu.js';
import classes from './LastDoses.module.css';
import { ReportedLine } from './ReportedLine.js';
import { t } from '../../../i18n/i18n.js';
import { amountText } from '../../../i18n/pills.js';

/** The last doses with an outcome before those of today. */
export function LastDoses() {
  const { bottle_id, last_doses: doses } = useBottle();
  return (
    <Panel title={t('Earlier doses')}>
      {doses.length === 0 ? (
        <p className={classes['none']}>{t('No earlier doses recorded.')}</p>
      ) : (
        <ul className={classes['doses']}>
          {doses.map((dose) => (
            <DoseLine key={dose.scheduled_at} bottleId={bottle_id} dose={dose} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** One dose: its due time, outcome and time of removal. */
export function DoseLine({ bottleId, dose }: { bottleId: string; dose: AnyDose }) {
  const [zone, present] = [useZone(), useNow()];
  const { scheduled_at, outcome, taken_at, pills_scheduled, pills_taken, medication } = dose;
  const partial =
    outcome === 'partial'
      ? ` ${t('{{taken}} of {{scheduled}} pills', {
          taken: amountText(pills_taken),
          scheduled: amountText(pills_scheduled),
        })}`
      : '';
  return (
    <li className={classes['dose']}>
      <span className={classes['due']}>
        <Moment at={scheduled_at} />
        {medication != null && ` · ${medication}`}
      </span>
      <Marked of={meaningOf(OUTCOME, outcome)} />
      <span className={classes['taken']}>
        {taken_at && <Trans i18nKey="at <at/>" components={{ at: <Moment at={taken_at} as="time" /> }} />}
        {partial}
      </span>
      <AttestMenu bottleId={bottleId} dose={dose} name={doseName(scheduled_at, medication, zone, present)} />
      <ReportedLine dose={dose} />
    </li>
  );
}
