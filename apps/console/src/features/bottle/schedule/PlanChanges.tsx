import { useId } from 'react';
import { Trans } from 'react-i18next';
import type { ScheduleVersion } from '../../../api/schema.js';
import { t } from '../../../i18n/i18n.js';
import { useNow } from '../../../time/clock.js';
import { Moment } from '../../../time/Moment.js';
import { type ChangedStep, type Plan, planChanges, type StepChange } from './plan-changes.js';
import { scheduleText } from './schedule-text.js';
import classes from './ScheduleTab.module.css';

const LABELS: Record<StepChange, string> = {
  stays: t('stays'),
  ends: t('ends when you save'),
  changed: t('changed'),
  new: t('new'),
  removed: t('removed'),
};

interface PlanChangesProps {
  before: Plan;
  /** Undefined while the server computes it. */
  after: readonly ScheduleVersion[] | undefined;
  /** Whether the change begins when it is saved. */
  savedNow: boolean;
}

/** What saving makes of each step of the plan. */
export function PlanChanges({ before, after, savedNow }: PlanChangesProps) {
  const id = useId();
  const present = useNow();
  return (
    <section aria-labelledby={id} className={classes['saving']}>
      <h3 id={id}>{t('What saving changes')}</h3>
      <ol className={classes['changes']} aria-live="polite">
        {after &&
          planChanges(before, after, savedNow).map((changed) => (
            <Row key={changed.step.effective_from} present={present} {...changed} />
          ))}
      </ol>
    </section>
  );
}

function Row({ step, change, beginsNow, present }: ChangedStep & { present: number }) {
  const { schedule, time_zone, effective_from } = step;
  return (
    <li data-change={change}>
      <p>
        <strong>
          {beginsNow ? (
            t('From when you save')
          ) : (
            <Trans
              i18nKey="From <at/>"
              components={{ at: <Moment at={effective_from} zone={time_zone} /> }}
            />
          )}
        </strong>
        : {LABELS[change]}
      </p>
      <p className={classes['changedStep']}>{scheduleText(schedule, time_zone, present)}</p>
    </li>
  );
}
