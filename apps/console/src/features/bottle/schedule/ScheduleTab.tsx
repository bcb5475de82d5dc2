import { Button } from '@mantine/core';
import { useState } from 'react';
import { useMay } from '../../../api/session.js';
import type { ScheduleVersion } from '../../../api/types.js';
import { useNow } from '../../../time/clock.js';
import { Moment } from '../../../time/Moment.js';
import { Panel } from '../../../ui/Panel.js';
import { useBottle } from '../queries.js';
import { Pauses } from './Pauses.js';
import { scheduleText, windowText } from './schedule-text.js';
import { ScheduleEditor } from './ScheduleEditor.js';
import classes from './ScheduleTab.module.css';

/** When doses are due: what holds, what comes, pauses, and the editor. */
export function ScheduleTab() {
  const { schedule, coming_schedules: coming } = useBottle();
  const supports = useMay('support');
  const [editing, setEditing] = useState(false);
  if (editing) return <ScheduleEditor onClose={() => setEditing(false)} />;
  return (
    <div className={classes['page']}>
      <Panel
        title="Schedule"
        aside={
          supports && (
            <Button variant="default" onClick={() => setEditing(true)}>
              {schedule ? 'Change' : 'Make a schedule'}
            </Button>
          )
        }
      >
        {schedule ? (
          <Version version={schedule} />
        ) : (
          <p className={classes['quiet']}>There is none: no dose is expected, so none can be missed.</p>
        )}
        {coming.map((version) => (
          <div key={version.effective_from} className={classes['coming']}>
            <h3>
              From <Moment at={version.effective_from} />
            </h3>
            <Version version={version} />
          </div>
        ))}
      </Panel>
      <Pauses />
    </div>
  );
}

function Version({ version: { schedule, time_zone, effective_from } }: { version: ScheduleVersion }) {
  const present = useNow();
  return (
    <div className={classes['version']}>
      <p className={classes['words']}>{scheduleText(schedule, time_zone, present)}.</p>
      {schedule.kind !== 'as_needed' && <p className={classes['quiet']}>{windowText(schedule)}</p>}
      <p className={classes['quiet']}>
        In the time of {time_zone}; holds from <Moment at={effective_from} zone={time_zone} />.
      </p>
    </div>
  );
}
