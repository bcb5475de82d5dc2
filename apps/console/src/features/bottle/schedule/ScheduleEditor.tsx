import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ifMatch, request } from '../../../api/request.js';
import { queries } from '../../../app/services.js';
import { now } from '../../../time/clock.js';
import { Form, FormError } from '../../../ui/Form.js';
import { notify } from '../../../ui/notify.js';
import { Panel } from '../../../ui/Panel.js';
import { Unsaved } from '../../../ui/Unsaved.js';
import { useBottle } from '../queries.js';
import { type Draft, draftOf, scheduleOf } from './draft.js';
import { Preview } from './Preview.js';
import { ScheduleFields } from './ScheduleFields.js';
import classes from './ScheduleTab.module.css';
import { t } from '../../../i18n/i18n.js';

/**
 * Edits a schedule beside a preview of its doses. Past doses keep their outcomes. What somebody else changes meanwhile
 * stays.
 */
export function ScheduleEditor({ onClose }: { onClose: () => void }) {
  const { bottle_id, time_zone, schedule: current, version: present } = useBottle();
  const [version] = useState(present);
  const [initial] = useState<Draft>(() => draftOf(current?.schedule, time_zone, now()));
  const [draft, setDraft] = useState(initial);
  const schedule = scheduleOf(draft, time_zone);
  const save = useMutation({
    mutationFn: () =>
      request('PUT', `/v1/bottles/${bottle_id}/schedule`, { body: { schedule }, headers: ifMatch(version) }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['bottle', bottle_id] });
      notify(t('Schedule saved.'));
      onClose();
    },
  });
  return (
    <Form onSubmit={() => save.mutate()} className={classes['editor']}>
      {JSON.stringify(draft) !== JSON.stringify(initial) && (
        <Unsaved text={t('The changes of the schedule are not saved.')} />
      )}
      <Panel title={t('Schedule')}>
        <ScheduleFields draft={draft} bottleZone={time_zone} error={save.error} onChange={setDraft} />
        <FormError error={save.error} />
        <div className={classes['row']} style={{ marginTop: 20 }}>
          <Button type="submit" loading={save.isPending}>
            {t('Save schedule')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
        </div>
      </Panel>
      <Preview
        path={`/v1/bottles/${bottle_id}/schedule/preview`}
        schedule={schedule}
        zone={schedule.time_zone ?? time_zone}
      />
    </Form>
  );
}
