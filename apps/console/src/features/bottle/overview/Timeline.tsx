import { alertKind } from '../../../alert-kinds/alert-kinds.js';
import { closingText, endingOf } from '../../../alert-kinds/endings.js';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type {
  Action,
  Alert,
  Delivery,
  DeliveryStatus,
  HeartbeatGap,
  TimelineEntry,
} from '../../../api/types.js';
import { useNow } from '../../../time/clock.js';
import { dayOnly, duration, localDay } from '../../../time/format.js';
import { Moment, useZone } from '../../../time/Moment.js';
import { CsvLink } from '../../../ui/CsvLink.js';
import { List, useList } from '../../../ui/List.js';
import type { Tone } from '../../../ui/Mark.js';
import { Panel } from '../../../ui/Panel.js';
import { Empty } from '../../../ui/States.js';
import { plural } from '../../../ui/text.js';
import { AlertTitle } from '../../alerts/alert-text.js';
import { notificationText } from '../../notifications/notifications.js';
import { useBottle } from '../queries.js';
import classes from './Timeline.module.css';

/** The bottle's actions, missed heartbeats, alerts and notifications, newest first. */
export function Timeline() {
  const { bottle_id, last_heard_at } = useBottle();
  const zone = useZone();
  const present = useNow();
  const path = `/v1/bottles/${bottle_id}/timeline`;
  const list = useList<TimelineEntry>(['bottle', bottle_id, 'timeline'], path, {});
  return (
    <Panel title="Activity" aside={<CsvLink path={path} name={`timeline-${bottle_id}`} />} flush>
      <List
        list={list}
        empty={
          <Empty title="No activity yet">
            {last_heard_at === null
              ? 'The bottle has not reported since it was registered.'
              : 'The bottle reports; it has not been opened or closed.'}
          </Empty>
        }
      >
        {(entries) => (
          <ol className={classes['days']}>
            {groupByDay(entries, zone).map(({ day, entries: ofDay }) => (
              <li key={day}>
                <h3 className={classes['day']}>{dayOnly(Date.parse(ofDay[0]!.at), zone, present)}</h3>
                <ol>
                  {ofDay.map((entry, index) => (
                    <Entry key={`${entry.at} ${entry.kind} ${index}`} entry={entry} />
                  ))}
                </ol>
              </li>
            ))}
          </ol>
        )}
      </List>
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

function groupByDay(
  entries: readonly TimelineEntry[],
  zone: string,
): { day: string; entries: TimelineEntry[] }[] {
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

/** A report counts as late from this delay on. */
const LATE_MS = 5 * 60_000;
/** Longer than a restart of the service. */
const OUTAGE_MS = 2 * 60_000;

/** The text and colour of an entry. */
function describe(entry: TimelineEntry): Described {
  switch (entry.kind) {
    case 'action':
      return describeAction(entry.action);
    case 'heartbeats_missed':
      return { tone: 'silent', text: <Gap gap={entry.gap} /> };
    case 'alert_raised':
      return {
        tone: alertKind(entry.alert.kind).tone,
        text: <AlertLine alert={entry.alert} label="Alert" />,
      };
    case 'alert_ended':
      return {
        tone: endingOf(entry.alert)?.tone,
        text: <AlertLine alert={entry.alert} label={endingOf(entry.alert)?.label ?? 'Ended'} />,
      };
    case 'alert_closed':
      return {
        tone: undefined,
        text: <AlertLine alert={entry.alert} label={closingText(entry.alert) ?? 'Closed'} />,
      };
    case 'message':
      return { tone: undefined, text: <Notification message={entry.message} /> };
  }
}

function describeAction(action: Action): Described {
  const opened = action.action === 'opened';
  const taken = action.pills_taken ?? 0;
  const what = taken === 0 ? 'no pills removed' : `${plural(taken, 'pill')} removed`;
  return {
    tone: opened ? 'open' : taken > 0 ? 'ok' : undefined,
    text: (
      <>
        {opened ? 'Opened' : `Closed: ${what}, ${action.number_of_pills} left`}
        <TimeNotes action={action} />
      </>
    ),
  };
}

/** Why the time may look wrong: the report came late, or the device clock was off. */
function TimeNotes({ action: { time, received_at, device_time } }: { action: Action }) {
  const late = Date.parse(received_at) - Date.parse(time);
  return (
    <>
      {late > LATE_MS && <p>Reported {duration(late)} late.</p>}
      {device_time && (
        <p>
          The device clock showed <Moment at={device_time} />; the time was corrected.
        </p>
      )}
    </>
  );
}

function Gap({ gap: { after, until, missed, listened_ms } }: { gap: HeartbeatGap }) {
  const outage = until === null ? 0 : Date.parse(until) - Date.parse(after) - listened_ms;
  return (
    <>
      {plural(missed, 'heartbeat')} missed
      {until === null ? (
        <p>
          No heartbeat since <Moment at={after} />.
        </p>
      ) : (
        <p>
          No heartbeat between <Moment at={after} /> and <Moment at={until} />.
        </p>
      )}
      {outage > OUTAGE_MS && (
        <p>For {duration(outage)} of that time this service was not accepting reports.</p>
      )}
    </>
  );
}

function AlertLine({ alert, label }: { alert: Alert; label: string }) {
  return (
    <>
      {label}:{' '}
      <Link to="/alerts/$alertId" params={{ alertId: alert.id }}>
        <AlertTitle alert={alert} />
      </Link>
    </>
  );
}

const NOTIFICATION_LABELS: Record<DeliveryStatus, string> = {
  delivered: 'Notification sent',
  pending: 'Notification pending',
  dead: 'Notification failed',
  cancelled: 'Notification cancelled',
};

function Notification({ message }: { message: Delivery }) {
  const { status, reason, alert_id } = message;
  return (
    <>
      {NOTIFICATION_LABELS[status]}:{' '}
      <Link to="/alerts/$alertId" params={{ alertId: alert_id }}>
        {notificationText(message)}
      </Link>
      {reason !== null && status !== 'delivered' && <p>{reason}</p>}
    </>
  );
}
