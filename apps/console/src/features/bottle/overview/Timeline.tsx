import { useList } from '../../../api/list.js';
import type { TimelineEntry } from '../../../api/types/timeline.js';
import { dayOnly, localDay } from '../../../time/format.js';
import { Moment } from '../../../time/Moment.js';
import { useNow } from '../../../time/use-now.js';
import { useZone } from '../../../time/zones.js';
import { CsvLink } from '../../../ui/CsvLink.js';
import { ListState } from '../../../ui/ListState.js';
import { Panel } from '../../../ui/Panel.js';
import { Empty } from '../../../ui/States.js';
import { useBottle } from '../queries.js';
import classes from './Timeline.module.css';
import { describe } from './timeline-entries.js';

/** All that has happened to a bottle, newest first: what it reported, what was wrong, who was told. */
export function Timeline() {
  const { bottle_id } = useBottle();
  const zone = useZone();
  const present = useNow();
  const path = `/v1/bottles/${bottle_id}/timeline`;
  const list = useList<TimelineEntry>(['bottle', bottle_id, 'timeline'], path, {});
  return (
    <Panel title="What has happened" aside={<CsvLink path={path} name={`timeline-${bottle_id}`} />} flush>
      <ListState
        list={list}
        empty={
          <Empty title="Nothing has happened yet">The bottle has not reported since it was registered.</Empty>
        }
      >
        <ol className={classes['days']}>
          {days(list.items ?? [], zone).map(({ day, entries }) => (
            <li key={day}>
              <h3 className={classes['day']}>{dayOnly(Date.parse(entries[0]!.at), zone, present)}</h3>
              <ol>
                {entries.map((entry, index) => (
                  <Entry key={`${entry.at} ${entry.kind} ${index}`} entry={entry} />
                ))}
              </ol>
            </li>
          ))}
        </ol>
      </ListState>
    </Panel>
  );
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const { tone, text } = describe(entry);
  return (
    <li className={classes['entry']} data-kind={entry.kind} data-tone={tone}>
      <span className={classes['time']}>
        <Moment at={entry.at} as="time" />
      </span>
      <span className={classes['dot']} aria-hidden />
      <div className={classes['text']}>{text}</div>
    </li>
  );
}

function days(entries: readonly TimelineEntry[], zone: string): { day: string; entries: TimelineEntry[] }[] {
  const grouped: { day: string; entries: TimelineEntry[] }[] = [];
  for (const entry of entries) {
    const day = localDay(Date.parse(entry.at), zone);
    const last = grouped.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else grouped.push({ day, entries: [entry] });
  }
  return grouped;
}
