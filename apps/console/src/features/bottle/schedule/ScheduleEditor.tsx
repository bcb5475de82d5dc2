import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { put } from '../../../api/request.js';
import { queries } from '../../../app/services.js';
import { now } from '../../../time/clock.js';
import { notify } from '../../../ui/notify.js';
import { Panel } from '../../../ui/Panel.js';
import { explain } from '../../../ui/States.js';
import { useBottle } from '../queries.js';
import { type Draft, draftOf, scheduleOf } from './draft.js';
import { Preview } from './Preview.js';
import { ScheduleFields } from './ScheduleFields.js';
import classes from './ScheduleTab.module.css';

/** Changes a schedule, and shows beside it which doses come of it. What is past stays as it was judged. */
export function ScheduleEditor({ onClose }: { onClose: () => void }) {
  const { bottle_id, time_zone, schedule } = useBottle();
  const [draft, setDraft] = useState<Draft>(() => draftOf(schedule?.schedule, time_zone, now()));
  const made = scheduleOf(draft, time_zone);
  const save = useMutation({
    mutationFn: () => put(`/v1/bottles/${bottle_id}/schedule`, { schedule: made }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['bottle', bottle_id] });
      notify('The schedule has been saved.');
      onClose();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit} className={classes['editor']}>
      <Panel title="Schedule">
        <ScheduleFields draft={draft} bottleZone={time_zone} error={save.error} onChange={setDraft} />
        {save.error && (
          <p role="alert" className={classes['error']}>
            {explain(save.error).join('. ')}
          </p>
        )}
        <div className={classes['row']} style={{ marginTop: 20 }}>
          <Button type="submit" loading={save.isPending}>
            Save the schedule
          </Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </Panel>
      <Preview bottleId={bottle_id} schedule={made} zone={made.time_zone ?? time_zone} />
    </form>
  );
}
