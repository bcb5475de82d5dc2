import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Alert } from '../../../api/types/alerts.js';
import type { Delivery } from '../../../api/types/deliveries.js';
import type { Action, HeartbeatGap, TimelineEntry } from '../../../api/types/timeline.js';
import { duration } from '../../../time/format.js';
import { Moment } from '../../../time/Moment.js';
import { KIND, meaningOf, type Tone } from '../../../ui/Mark.js';
import { AlertTitle } from '../../alerts/AlertTitle.js';
import { DELIVERY_STATUS, messageWords } from '../../alerts/delivery-words.js';
import { pillWords } from '../schedule/words.js';

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
        tone: meaningOf(KIND, entry.alert.kind).tone,
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
  const what = taken === 0 ? 'nothing taken out' : `${pillWords(taken)} taken out`;
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
        {messageWords(message)}
      </Link>
      {reason !== null && status !== 'delivered' && <p>{reason}</p>}
    </>
  );
}
