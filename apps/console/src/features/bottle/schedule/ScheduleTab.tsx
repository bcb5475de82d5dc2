import { Button } from '@mantine/core';
import { useState } from 'react';
import { Trans } from 'react-i18next';
import { useMay } from '../../../api/session.js';
import type { ScheduleVersion } from '../../../api/schema.js';
import { useNow } from '../../../time/clock.js';
import { Moment } from '../../../time/Moment.js';
import { Panel } from '../../../ui/Panel.js';
import { useBottle } from '../queries.js';
import { Pauses } from './Pauses.js';
import { scheduleText, windowText } from './schedule-text.js';
import { ScheduleEditor } from './ScheduleEditor.js';
import classes from './ScheduleTab.module.css';
import { t } from '../../../i18n/i18n.js';

/** The present schedule, future versions, pauses, and the editor. */
export function ScheduleTab() {
  const { schedule, coming_schedules: coming } = useBottle();
  const isSupport = useMay('support');
  const [editing, setEditing] = useState(false);
  if (editing) return <ScheduleEditor onClose={() => setEditing(false)} />;
  return (
    <div className={classes['page']}>
      <Panel
        title={t('Schedule')}
        aside={
          isSupport && (
            <Button variant="default" onClick={() => setEditing(true)}>
              {schedule ? t('Edit') : t('Create schedule')}
            </Button>
          )
        }
      >
        {schedule ? (
          <Version version={schedule} />
        ) : (
          <p className={classes['quiet']}>{t('No schedule, so no doses are expected.')}</p>
        )}
        {coming.map((version) => (
          <div key={version.effective_from} className={classes['coming']}>
            <h3>
              <Trans i18nKey="From <at/>" components={{ at: <Moment at={version.effective_from} /> }} />
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
      <p className={classes['text']}>{scheduleText(schedule, time_zone, present)}.</p>
      {schedule.kind !== 'as_needed' && <p className={classes['quiet']}>{windowText(schedule)}</p>}
      <p className={classes['quiet']}>
        <Trans
          i18nKey="Time zone: {{zone}}. Effective from <at/>."
          values={{ zone: time_zone }}
          components={{ at: <Moment at={effective_from} zone={time_zone} /> }}
        />
      </p>
    </div>
  );
}
