import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { post, put } from '../../../api/request.js';
import type { Schedule } from '../../../api/types.js';
import { queries } from '../../../app/services.js';
import { now, useNow } from '../../../time/clock.js';
import { dayAndTime } from '../../../time/format.js';
import { Form, FormError } from '../../../ui/Form.js';
import { notify } from '../../../ui/notify.js';
import { Panel } from '../../../ui/Panel.js';
import { Empty, explain, Loading } from '../../../ui/States.js';
import { plural } from '../../../ui/text.js';
import { useBottle } from '../queries.js';
import { type Draft, draftOf, scheduleOf } from './draft.js';
import { ScheduleFields } from './ScheduleFields.js';
import classes from './ScheduleTab.module.css';

/** Edits a schedule beside a preview of its doses. Past doses keep their outcomes. */
export function ScheduleEditor({ onClose }: { onClose: () => void }) {
  const { bottle_id, time_zone, schedule: current } = useBottle();
  const [draft, setDraft] = useState<Draft>(() => draftOf(current?.schedule, time_zone, now()));
  const schedule = scheduleOf(draft, time_zone);
  const save = useMutation({
    mutationFn: () => put(`/v1/bottles/${bottle_id}/schedule`, { schedule }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['bottle', bottle_id] });
      notify('Schedule saved.');
      onClose();
    },
  });
  return (
    <Form onSubmit={() => save.mutate()} className={classes['editor']}>
      <Panel title="Schedule">
        <ScheduleFields draft={draft} bottleZone={time_zone} error={save.error} onChange={setDraft} />
        <FormError error={save.error} />
        <div className={classes['row']} style={{ marginTop: 20 }}>
          <Button type="submit" loading={save.isPending}>
            Save schedule
          </Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </Panel>
      <Preview bottleId={bottle_id} schedule={schedule} zone={schedule.time_zone ?? time_zone} />
    </Form>
  );
}

interface PreviewAnswer {
  doses: { scheduled_at: string; pills: number }[];
}

const DEBOUNCE_MS = 250;
const MAX_SHOWN = 14;

interface PreviewProps {
  bottleId: string;
  schedule: Schedule;
  zone: string;
}

/** The next doses of an unsaved schedule, computed by the server. */
function Preview({ bottleId, schedule, zone }: PreviewProps) {
  const present = useNow();
  const [sent] = useDebouncedValue(JSON.stringify(schedule), DEBOUNCE_MS);
  const { data, error } = useQuery({
    queryKey: ['preview', bottleId, sent],
    queryFn: () =>
      post<PreviewAnswer>(`/v1/bottles/${bottleId}/schedule/preview`, {
        schedule: JSON.parse(sent) as Schedule,
      }),
    placeholderData: (previous) => previous,
    retry: false,
  });
  const doses = data?.doses.slice(0, MAX_SHOWN) ?? [];
  return (
    <Panel title="Next doses" aside={zone}>
      <div aria-live="polite">
        {error && <p className={classes['error']}>{explain(error)[1]}</p>}
        {!error && !data && <Loading />}
        {!error && data && doses.length === 0 && (
          <Empty title="No upcoming doses">
            {schedule.kind === 'as_needed'
              ? 'An as-needed schedule has no due times.'
              : 'Check the days and the cycle.'}
          </Empty>
        )}
        {!error && doses.length > 0 && (
          <ol className={classes['preview']}>
            {doses.map(({ scheduled_at, pills }) => (
              <li key={scheduled_at}>
                <time dateTime={scheduled_at}>{dayAndTime(Date.parse(scheduled_at), zone, present)}</time>
                <span className={classes['quiet']}>{plural(pills, 'pill')}</span>
              </li>
            ))}
          </ol>
        )}
      </div>
    </Panel>
  );
}
