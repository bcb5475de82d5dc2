import { alertKind } from '../../../alert-kinds/alert-kinds.js';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useList } from '../../../api/list.js';
import type { Action, Alert, Delivery, HeartbeatGap, TimelineEntry } from '../../../api/types.js';
import { useNow } from '../../../time/clock.js';
import { dayOnly, duration, localDay } from '../../../time/format.js';
import { Moment, useZone } from '../../../time/Moment.js';
import { CsvLink } from '../../../ui/CsvLink.js';
import { ListState } from '../../../ui/ListState.js';
import { meaningOf, type Tone } from '../../../ui/Mark.js';
import { Panel } from '../../../ui/Panel.js';
import { Empty } from '../../../ui/States.js';
import { AlertTitle } from '../../alerts/AlertTitle.js';
import { DELIVERY_STATUS, notificationText } from '../../notifications/notifications.js';
import { useBottle } from '../queries.js';
import { pillsText } from '../schedule/schedule-text.js';
import classes from './Timeline.module.css';

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

interface Described {
  tone: Tone | undefined;
  text: ReactNode;
}

/** A report that comes this much after the event came late. */
const LATE_MS = 5 * 60_000;
/** A service that restarts is away for less. */
const OUTAGE_MS = 2 * 60_000;

/** One thing that happened, in words. */
export function describe(entry: TimelineEntry): Described {
  switch (entry.kind) {
    case 'action':
      return describeAction(entry.action);
    case 'heartbeats_missed':
      return { tone: 'silent', text: <Gap gap={entry.gap} /> };
    case 'alert_raised':
      return {
        tone: alertKind(entry.alert.kind).tone,
        text: <AlertLine alert={entry.alert} word="Alert" />,
      };
    case 'alert_ended':
      return {
        tone: 'ok',
        text: (
          <AlertLine alert={entry.alert} word={entry.alert.state === 'retracted' ? 'Taken back' : 'Over'} />
        ),
      };
    case 'message':
      return { tone: undefined, text: <Message message={entry.message} /> };
  }
}

function describeAction(action: Action): Described {
  const opened = action.action === 'opened';
  const taken = action.pills_taken ?? 0;
  const what = taken === 0 ? 'nothing taken out' : `${pillsText(taken)} taken out`;
  return {
    tone: opened ? 'open' : taken > 0 ? 'ok' : undefined,
    text: (
      <>
        {opened ? 'Opened' : `Closed, ${what}, ${action.number_of_pills} left`}
        <Lateness action={action} />
      </>
    ),
  };
}

/** Why a time may surprise: the report came later, or the bottle's clock was wrong. */
function Lateness({ action: { time, received_at, device_time } }: { action: Action }) {
  const late = Date.parse(received_at) - Date.parse(time);
  return (
    <>
      {late > LATE_MS && <p>We heard of it {duration(late)} later.</p>}
      {device_time && (
        <p>
          Its own clock said <Moment at={device_time} />; the time has been corrected.
        </p>
      )}
    </>
  );
}

function Gap({ gap: { after, until, missed, listened_ms } }: { gap: HeartbeatGap }) {
  const away = until === null ? 0 : Date.parse(until) - Date.parse(after) - listened_ms;
  return (
    <>
      {missed === 1 ? '1 heartbeat missed' : `${missed} heartbeats missed`}
      {until === null ? (
        <p>
          None has come since <Moment at={after} />.
        </p>
      ) : (
        <p>
          None came between <Moment at={after} /> and <Moment at={until} />.
        </p>
      )}
      {away > OUTAGE_MS && <p>For {duration(away)} of that this service was not listening.</p>}
    </>
  );
}

function AlertLine({ alert, word }: { alert: Alert; word: string }) {
  return (
    <>
      {word}:{' '}
      <Link to="/alerts/$alertId" params={{ alertId: alert.id }}>
        <AlertTitle alert={alert} />
      </Link>
    </>
  );
}

function Message({ message }: { message: Delivery }) {
  const { status, reason, alert_id } = message;
  const word = meaningOf(DELIVERY_STATUS, status).word;
  return (
    <>
      {word}:{' '}
      <Link to="/alerts/$alertId" params={{ alertId: alert_id }}>
        {notificationText(message)}
      </Link>
      {reason !== null && status !== 'delivered' && <p>{reason}</p>}
    </>
  );
}
