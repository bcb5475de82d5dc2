import type { UseQueryResult } from '@tanstack/react-query';
import type { SchedulePreview } from '../../../api/schema.js';
import type { Schedule } from '../../../api/vocabulary.js';
import { errorText } from '../../../errors/error-text.js';
import { useNow } from '../../../time/clock.js';
import { dayAndTime } from '../../../time/format.js';
import { Panel } from '../../../ui/Panel.js';
import { Empty, Loading } from '../../../ui/States.js';
import classes from './ScheduleTab.module.css';
import { t } from '../../../i18n/i18n.js';
import { amountText, pluralOf } from '../../../i18n/pills.js';

const MAX_SHOWN = 14;

interface NextDosesProps {
  preview: UseQueryResult<SchedulePreview>;
  schedule: Schedule;
  /** In which the doses are shown. */
  zone: string;
}

/** The next doses of an unsaved schedule. */
export function NextDoses({ preview: { data, error }, schedule, zone }: NextDosesProps) {
  const present = useNow();
  const doses = data?.doses.slice(0, MAX_SHOWN) ?? [];
  return (
    <Panel title={t('Next doses')} aside={zone}>
      <div aria-live="polite">
        {error && <p className={classes['error']}>{errorText(error)}</p>}
        {!error && !data && <Loading />}
        {!error && data && doses.length === 0 && (
          <Empty title={t('No upcoming doses')}>
            {schedule.kind === 'as_needed'
              ? t('An as-needed schedule has no due times.')
              : t('Check the days and the cycle.')}
          </Empty>
        )}
        {!error && doses.length > 0 && (
          <ol className={classes['preview']}>
            {doses.map(({ scheduled_at, pills }) => (
              <li key={scheduled_at}>
                <time dateTime={scheduled_at}>{dayAndTime(Date.parse(scheduled_at), zone, present)}</time>
                <span className={classes['quiet']}>
                  {t('{{pills}} pills', { count: pluralOf(pills), pills: amountText(pills) })}
                </span>
              </li>
            ))}
          </ol>
        )}
      </div>
    </Panel>
  );
}
