import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { post, put } from '../../../api/request.js';
import type { Schedule } from '../../../api/types.js';
import { queries } from '../../../app/services.js';
import { now, useNow } from '../../../time/clock.js';
import { dayAndTime } from '../../../time/format.js';
import { notify } from '../../../ui/notify.js';
import { Panel } from '../../../ui/Panel.js';
import { Empty, explain, Loading } from '../../../ui/States.js';
import { useBottle } from '../queries.js';
import { type Draft, draftOf, scheduleOf } from './draft.js';
import { pillsText } from './schedule-text.js';
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

interface PreviewAnswer {
  doses: { scheduled_at: string; pills: number }[];
}

const PAUSE_MS = 250;
const SHOWN = 14;

/** The next doses by a schedule that is not saved yet, as the server reckons them. */
export function Preview({
  bottleId,
  schedule,
  zone,
}: {
  bottleId: string;
  schedule: Schedule;
  zone: string;
}) {
  const present = useNow();
  const [asked] = useDebouncedValue(JSON.stringify(schedule), PAUSE_MS);
  const { data, error } = useQuery({
    queryKey: ['preview', bottleId, asked],
    queryFn: () =>
      post<PreviewAnswer>(`/v1/bottles/${bottleId}/schedule/preview`, {
        schedule: JSON.parse(asked) as Schedule,
      }),
    placeholderData: (previous) => previous,
    retry: false,
  });
  const doses = data?.doses.slice(0, SHOWN) ?? [];
  return (
    <Panel title="Next doses" aside={zone}>
      <div aria-live="polite">
        {error && <p className={classes['error']}>{explain(error)[1]}</p>}
        {!error && !data && <Loading />}
        {!error && data && doses.length === 0 && (
          <Empty title="No dose comes of it">
            {schedule.kind === 'as_needed'
              ? 'As needed means that none is expected.'
              : 'Check the days and the cycle.'}
          </Empty>
        )}
        {!error && doses.length > 0 && (
          <ol className={classes['preview']}>
            {doses.map(({ scheduled_at, pills }) => (
              <li key={scheduled_at}>
                <time dateTime={scheduled_at}>{dayAndTime(Date.parse(scheduled_at), zone, present)}</time>
                <span className={classes['quiet']}>{pillsText(pills)}</span>
              </li>
            ))}
          </ol>
        )}
      </div>
    </Panel>
  );
}
