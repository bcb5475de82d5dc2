import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Bottle } from '../../api/types.js';
import { useNow } from '../../time/clock.js';
import { ago, dayAndTime, duration, VIEWER_ZONE, zoneName } from '../../time/format.js';
import { Moment } from '../../time/Moment.js';
import { CopyText } from '../../ui/CopyText.js';
import { Marked, meaningOf } from '../../ui/Mark.js';
import { STATUS } from '../../ui/meanings.js';
import { PageHead } from '../../ui/PageHead.js';
import { plural } from '../../ui/text.js';
import classes from './BottleHead.module.css';
import { BottlePicture } from './BottlePicture.js';
import { deviceSentence, whenLastSeen } from './sentence.js';
import { dosesStatement } from './today-text.js';

/** The bottle's owner, the state of its device, how its doses stand today, and key figures. */
export function BottleHead({ bottle }: { bottle: Bottle }) {
  const present = useNow();
  const { medication, user_id, bottle_id } = bottle;
  return (
    <>
      <PageHead
        title={medication}
        lead={
          <span className={classes['whose']}>
            <Link to="/bottles" search={{ user_id }}>
              {user_id}
            </Link>
            <CopyText text={bottle_id} label="Copy bottle ID" />
          </span>
        }
      />
      <section aria-label="Status" className={classes['status']} data-status={bottle.device.status}>
        <BottlePicture bottle={bottle} />
        <div className={classes['text']}>
          <DeviceState bottle={bottle} present={present} />
          <DosesState bottle={bottle} present={present} />
          <Warnings bottle={bottle} />
        </div>
        <Numbers bottle={bottle} present={present} />
      </section>
    </>
  );
}

interface StatementProps {
  bottle: Bottle;
  present: number;
}

function DeviceState({ bottle, present }: StatementProps) {
  const { device, time_zone } = bottle;
  const lastSeen = whenLastSeen(bottle);
  return (
    <div role="group" aria-label="Bottle">
      <p className={classes['label']}>
        <Marked of={meaningOf(STATUS, device.status)} />
      </p>
      <p className={classes['sentence']}>{deviceSentence(bottle, present, time_zone)}</p>
      {lastSeen && <p>{lastSeen}</p>}
      {device.since && time_zone !== VIEWER_ZONE && (
        <p className={classes['yours']}>
          Your time ({zoneName(present, VIEWER_ZONE)}): since{' '}
          {dayAndTime(Date.parse(device.since), VIEWER_ZONE, present)}
        </p>
      )}
    </div>
  );
}

function DosesState({ bottle, present }: StatementProps) {
  const { meaning, sentence, more } = dosesStatement(bottle, present, bottle.time_zone);
  return (
    <div role="group" aria-label="Doses">
      <p className={classes['label']}>
        <Marked of={meaning}>Doses today</Marked>
      </p>
      <p className={classes['sentence']}>{sentence}</p>
      {more && <p className={classes['yours']}>{more}</p>}
    </div>
  );
}

/** Problems that may make the displayed data wrong. */
function Warnings({ bottle: { bad_clock, set_aside } }: { bottle: Bottle }) {
  return (
    <>
      {bad_clock && (
        <p className={classes['doubt']}>
          The device clock was {duration(Math.abs(bad_clock.offset_ms))}{' '}
          {bad_clock.offset_ms > 0 ? 'ahead' : 'behind'} (
          <Moment at={bad_clock.at} />
          ). Its times have been corrected.
        </p>
      )}
      {set_aside && (
        <p className={classes['doubt']}>
          The check “{set_aside.check}” failed for this bottle (<Moment at={set_aside.at} />
          ): {set_aside.error}
        </p>
      )}
    </>
  );
}

function Numbers({ bottle, present }: { bottle: Bottle; present: number }) {
  const { pills_left, days_left, next_dose, vitals, time_zone } = bottle;
  return (
    <dl className={classes['numbers']}>
      <Fact name="Pills left" value={pills_left ?? 'unknown'} more={daysLeft(days_left)} />
      <Fact
        name="Next dose"
        value={next_dose ? dayAndTime(Date.parse(next_dose.scheduled_at), time_zone, present) : 'none'}
        more={
          next_dose &&
          `${ago(Date.parse(next_dose.scheduled_at), present)}, ${plural(next_dose.pills, 'pill')}`
        }
      />
      <Fact
        name="Battery"
        value={vitals?.battery_percent == null ? 'unknown' : `${vitals.battery_percent} %`}
        more={vitals?.battery_percent == null ? undefined : <Moment at={vitals.at} as="ago" />}
      />
      <Fact
        name="Signal"
        value={vitals?.rssi_dbm == null ? 'unknown' : `${vitals.rssi_dbm} dBm`}
        more={vitals?.rssi_dbm == null ? undefined : strength(vitals.rssi_dbm)}
      />
    </dl>
  );
}

function Fact({ name, value, more }: { name: string; value: ReactNode; more?: ReactNode }) {
  return (
    <div className={classes['fact']}>
      <dt>{name}</dt>
      <dd>{value}</dd>
      {more && <dd className={classes['more']}>{more}</dd>}
    </div>
  );
}

function daysLeft(days: number | null): string | undefined {
  if (days === null) return undefined;
  if (days < 1) return 'enough for less than 1 day';
  return `enough for ${plural(days, 'day')}`;
}

/** The usual names of Wi-Fi signal strengths. dBm. */
function strength(rssi: number): string {
  if (rssi >= -60) return 'good';
  if (rssi >= -72) return 'fair';
  return 'weak';
}
