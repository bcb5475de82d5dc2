import { Button } from '@mantine/core';
import { useState } from 'react';
import { useMay } from '../../../api/session.js';
import { t } from '../../../i18n/i18n.js';
import { Panel } from '../../../ui/Panel.js';
import { Periods } from '../../periods/Periods.js';
import { useBottle } from '../queries.js';
import { type Edited, ScheduleEditor } from './ScheduleEditor.js';
import classes from './ScheduleTab.module.css';
import { Step } from './Step.js';

/** The plan, which is a list of steps, the periods without monitoring, and the editor of a step. */
export function ScheduleTab() {
  const {
    bottle_id,
    time_zone,
    schedule: current,
    previous_schedule: previous,
    coming_schedules: coming,
  } = useBottle();
  const isSupport = useMay('support');
  const [edited, setEdited] = useState<Edited>();
  if (edited) return <ScheduleEditor edited={edited} onClose={() => setEdited(undefined)} />;
  const plan = [...(current ? [current] : []), ...coming];
  const last = plan.at(-1);
  return (
    <div className={classes['page']}>
      <Panel
        title={t('Schedule')}
        aside={
          isSupport && (
            <Button variant="default" onClick={() => setEdited({ kind: 'new', ...(last && { like: last }) })}>
              {last ? t('Add step') : t('Create schedule')}
            </Button>
          )
        }
      >
        {plan.length === 0 ? (
          <p className={classes['quiet']}>{t('No schedule, so no doses are expected.')}</p>
        ) : (
          <ol className={classes['steps']}>
            {plan.map((step, index) => (
              <Step
                key={step.effective_from}
                step={step}
                isCurrent={step === current}
                before={plan[index - 1] ?? (step === current ? previous : null)}
                next={plan[index + 1]}
                onEdit={() => setEdited({ kind: step === current ? 'current' : 'planned', step })}
              />
            ))}
          </ol>
        )}
      </Panel>
      <Periods path={`/v1/bottles/${bottle_id}`} zone={time_zone} />
    </div>
  );
}
