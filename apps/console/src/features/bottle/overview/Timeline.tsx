import { alertKind } from '../../../alert-kinds/alert-kinds.js';
import { closingText, endingOf } from '../../../alert-kinds/endings.js';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Trans } from 'react-i18next';
import type {
  Action,
  Alert,
  Delivery,
  HeartbeatGap,
  ReportProblem,
  TimelineEntry,
} from '../../../api/schema.js';
import type { DeliveryStatus } from '../../../api/vocabulary.js';
import { useNow } from '../../../time/clock.js';
import { dayOnly, duration, localDay, HAS_12_HOURS } from '../../../time/format.js';
import { Moment, useZone } from '../../../time/Moment.js';
import { CsvLink } from '../../../ui/CsvLink.js';
import { List, useList } from '../../../ui/List.js';
import type { Tone } from '../../../ui/Mark.js';
import { Panel } from '../../../ui/Panel.js';
import { Empty } from '../../../ui/States.js';
import { AlertTitle } from '../../alerts/alert-text.js';
import { notificationText } from '../../notifications/notifications.js';
import { useBottle } from '../queries.js';
import { ProblemCount, ProblemLine } from './ReportProblems.js';
import { closedText } from './closed-text.js';
import { NoDose } from './NoDose.js';
import classes from './Timeline.module.css';
import { t } from '../../../i18n/i18n.js';

/** The bottle's actions, missed heartbeats, alerts and notifications, newest first. */
export function Timeline() {
  const { bottle_id, last_heard_at } = useBottle();
  const zone = useZone();
  const present = useNow();
  const path = `/v1/bottles/${bottle_id}/timeline`;
  const list = useList<TimelineEntry>(['bottle', bottle_id, 'timeline'], path, {});
  return (
    <Panel title={t('Activity')} aside={<CsvLink path={path} name={`timeline-${bottle_id}`} />} flush>
      <List
        list={list}
        empty={
          <Empty title={t('No activity yet')}>
            {last_heard_at === null
              ? t('The bottle has not reported since it was registered.')
              : t('The bottle reports; it has not been opened or closed.')}
          </Empty>
        }
      >
        {(entries) => (
          <ol className={classes['days']} data-12-hours={HAS_12_HOURS || undefined}>
            {groupByDay(entries, zone).map(({ day, entries: ofDay }) => (
              <li key={day}>
                <h3 className={classes['day']}>{dayOnly(Date.parse(ofDay[0]!.at), zone, present)}</h3>
                <ol>
                  {ofDay.map((entry, index) => (
                    <Entry key={`${entry.at} ${entry.kind} ${index}`} bottleId={bottle_id} entry={entry} />
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

function Entry({ bottleId, entry }: { bottleId: string; entry: TimelineEntry }) {
  const { tone, text } = describe(entry);
  const removed = entry.action?.action === 'closed' ? (entry.action.pills_taken ?? 0) : 0;
  return (
    <li className={classes['entry']} data-kind={entry.kind} data-tone={tone}>
      <span className={classes['time']}>
        <Moment at={entry.at} as="time" />
      </span>
      <span className={classes['dot']} aria-hidden />
      <div className={classes['text']}>
        {text}
        {removed > 0 && <NoDose bottleId={bottleId} removedAt={entry.action!.time} pills={removed} />}
      </div>
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
  const { kind, action, gap, refusal, alert, message } = entry;
  if (action) return describeAction(action);
  if (gap) return { tone: 'silent', text: <Gap gap={gap} /> };
  if (refusal) return { tone: 'late', text: <Refused problem={refusal} /> };
  if (message) return { tone: undefined, text: <Notification message={message} /> };
  if (!alert) return { tone: undefined, text: undefined };
  const line = (label: string, ending?: string): ReactNode => (
    <AlertLine alert={alert} label={label} ending={ending} />
  );
  if (kind === 'alert_raised') return { tone: alertKind(alert.kind).tone, text: line(t('Alert')) };
  if (kind === 'alert_closed') return { tone: undefined, text: line(closingText(alert) ?? t('Closed')) };
  return { tone: endingOf(alert)?.tone, text: line(t('Alert ended'), endingOf(alert)?.label) };
}

function describeAction(action: Action): Described {
  const opened = action.action === 'opened';
  const hasTaken = action.pills_taken !== null && action.pills_taken > 0;
  return {
    tone: opened ? 'open' : hasTaken ? 'ok' : undefined,
    text: (
      <>
        {opened ? t('Opened') : closedText(action)}
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
      {late > LATE_MS && <p>{t('Reported {{span}} late.', { span: duration(late) })}</p>}
      {device_time && (
        <p>
          <Trans
            i18nKey="The device clock showed <at/>; the time was corrected."
            components={{ at: <Moment at={device_time} /> }}
          />
        </p>
      )}
    </>
  );
}

function Gap({ gap: { after, until, missed, listened_ms } }: { gap: HeartbeatGap }) {
  const outage = until === null ? 0 : Date.parse(until) - Date.parse(after) - listened_ms;
  return (
    <>
      {t('{{count, number}} heartbeats missed', { count: missed })}
      {until === null ? (
        <p>
          <Trans i18nKey="No heartbeat since <at/>." components={{ at: <Moment at={after} /> }} />
        </p>
      ) : (
        <p>
          <Trans
            i18nKey="No heartbeat between <from/> and <until/>."
            components={{ from: <Moment at={after} />, until: <Moment at={until} /> }}
          />
        </p>
      )}
      {outage > OUTAGE_MS && (
        <p>
          {t('For {{span}} of that time this service was not accepting reports.', { span: duration(outage) })}
        </p>
      )}
    </>
  );
}

function Refused({ problem }: { problem: ReportProblem }) {
  return (
    <>
      <ProblemLine problem={problem} />
      <p>
        <ProblemCount problem={problem} />
      </p>
    </>
  );
}

/** @param ending how it ended: what the alert says was so before */
function AlertLine({ alert, label, ending }: { alert: Alert; label: string; ending: string | undefined }) {
  return (
    <>
      {label}:{' '}
      <Link to="/alerts/$alertId" params={{ alertId: alert.id }}>
        <AlertTitle alert={alert} />
      </Link>
      {ending && ` (${ending})`}
    </>
  );
}

const NOTIFICATION_LABELS: Record<DeliveryStatus, string> = {
  delivered: t('Notification sent'),
  pending: t('Notification pending'),
  dead: t('Notification failed'),
  cancelled: t('Notification cancelled'),
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
