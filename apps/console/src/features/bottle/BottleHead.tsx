import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Trans } from 'react-i18next';
import type { Bottle } from '../../api/schema.js';
import { showSameTime } from '../../time/calendar.js';
import { useNow } from '../../time/clock.js';
import { ago, dayAndTime, duration, VIEWER_ZONE, zoneName } from '../../time/format.js';
import { Moment, useZone } from '../../time/Moment.js';
import { CopyText } from '../../ui/CopyText.js';
import { Marked, meaningOf } from '../../ui/Mark.js';
import { STATUS } from '../../ui/meanings.js';
import { PageHead } from '../../ui/PageHead.js';
import { AuditLink } from '../audit/AuditLink.js';
import { PeopleToCall } from '../person/ContactLine.js';
import classes from './BottleHead.module.css';
import { BottlePicture } from './BottlePicture.js';
import { LifeLine } from './LifeLine.js';
import { PlanLine } from './PlanLine.js';
import { deviceSentence, whenLastSeen } from './sentence.js';
import { dosesStatement } from './today-text.js';
import { t, numberText } from '../../i18n/i18n.js';
import { amountText, pluralOf } from '../../i18n/pills.js';

/** The bottle's owner, the state of its device, how its doses stand today, and key figures. */
export function BottleHead({ bottle }: { bottle: Bottle }) {
  const present = useNow();
  const { medication, label, user_id, bottle_id } = bottle;
  return (
    <>
      <PageHead
        title={medication}
        lead={
          <span className={classes['whose']}>
            {label !== null && <strong>{label}</strong>}
            <PeopleToCall userId={user_id} />
            <Link to="/people/$userId" params={{ userId: user_id }}>
              {user_id}
            </Link>
            <CopyText text={bottle_id} label={t('Copy bottle ID')} />
          </span>
        }
      >
        <AuditLink subject={{ kind: 'bottle', id: bottle_id }} />
      </PageHead>
      <section aria-label={t('Status')} className={classes['status']} data-status={bottle.device.status}>
        <BottlePicture bottle={bottle} />
        <div className={classes['text']}>
          {bottle.life && bottle.life.state !== 'in_use' && (
            <p className={classes['sentence']}>
              <LifeLine />
            </p>
          )}
          <PlanLine bottle={bottle} />
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
  const { device } = bottle;
  const zone = useZone();
  const lastSeen = whenLastSeen(bottle);
  return (
    <div role="group" aria-label={t('Bottle')}>
      <p className={classes['label']}>
        <Marked of={meaningOf(STATUS, device.status)} />
      </p>
      <p className={classes['sentence']}>{deviceSentence(bottle, present, zone)}</p>
      {lastSeen && <p>{lastSeen}</p>}
      {device.since && !showSameTime(zone, VIEWER_ZONE, present) && (
        <p className={classes['yours']}>
          {t('Your time ({{zone}}): since {{time}}', {
            zone: zoneName(present, VIEWER_ZONE),
            time: dayAndTime(Date.parse(device.since), VIEWER_ZONE, present),
          })}
        </p>
      )}
    </div>
  );
}

function DosesState({ bottle, present }: StatementProps) {
  const { meaning, sentence, more } = dosesStatement(bottle, present, useZone());
  return (
    <div role="group" aria-label={t('Doses')}>
      <p className={classes['label']}>
        <Marked of={meaning}>{t('Doses today')}</Marked>
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
          {bad_clock.offset_ms > 0 ? (
            <Trans
              i18nKey="The device clock was {{span}} ahead (<at/>). Its times have been corrected."
              values={{ span: duration(bad_clock.offset_ms) }}
              components={{ at: <Moment at={bad_clock.at} /> }}
            />
          ) : (
            <Trans
              i18nKey="The device clock was {{span}} behind (<at/>). Its times have been corrected."
              values={{ span: duration(-bad_clock.offset_ms) }}
              components={{ at: <Moment at={bad_clock.at} /> }}
            />
          )}
        </p>
      )}
      {set_aside && (
        <p className={classes['doubt']}>
          <Trans
            i18nKey="The check “{{check}}” failed for this bottle (<at/>): {{error}}"
            values={{ check: set_aside.check, error: set_aside.error }}
            components={{ at: <Moment at={set_aside.at} /> }}
          />
        </p>
      )}
    </>
  );
}

function Numbers({ bottle, present }: { bottle: Bottle; present: number }) {
  const { pills_left, days_left, next_dose, vitals } = bottle;
  const zone = useZone();
  return (
    <dl className={classes['numbers']}>
      <Fact
        name={t('Pills left')}
        value={pills_left === null ? t('unknown') : amountText(pills_left)}
        more={daysLeft(days_left)}
      />
      <Fact
        name={t('Next dose')}
        value={
          next_dose
            ? dayAndTime(Date.parse(next_dose.scheduled_at), zone, present)
            : t('none', { context: 'dose' })
        }
        more={
          next_dose &&
          `${ago(Date.parse(next_dose.scheduled_at), present)}, ${t('{{pills}} pills', { count: pluralOf(next_dose.pills), pills: amountText(next_dose.pills) })}`
        }
      />
      <Fact
        name={t('Battery')}
        value={vitals?.battery_percent == null ? t('unknown') : `${numberText(vitals.battery_percent)} %`}
        more={vitals?.battery_percent == null ? undefined : <Moment at={vitals.at} as="ago" />}
      />
      <Fact
        name={t('Signal')}
        value={vitals?.rssi_dbm == null ? t('unknown') : `${vitals.rssi_dbm} dBm`}
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
  if (days < 1) return t('enough for less than 1 day');
  return t('enough for {{count, number}} days', { count: days });
}

/** The usual names of Wi-Fi signal strengths. dBm. */
function strength(rssi: number): string {
  if (rssi >= -60) return t('good');
  if (rssi >= -72) return t('fair');
  return t('weak');
}
