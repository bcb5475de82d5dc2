import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { post } from '../../../api/request.js';
import type { Schedule } from '../../../api/types/schedule.js';
import { dayAndTime } from '../../../time/format.js';
import { useNow } from '../../../time/use-now.js';
import { Panel } from '../../../ui/Panel.js';
import { Empty, explain, Loading } from '../../../ui/States.js';
import classes from './ScheduleTab.module.css';
import { pillWords } from './words.js';

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
                <span className={classes['quiet']}>{pillWords(pills)}</span>
              </li>
            ))}
          </ol>
        )}
      </div>
    </Panel>
  );
}
