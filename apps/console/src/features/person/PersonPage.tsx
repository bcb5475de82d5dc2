import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Trans } from 'react-i18next';
import { isStatus } from '../../api/http.js';
import { useMay } from '../../api/session.js';
import type { FormerBottle, Person, PersonsBottle } from '../../api/schema.js';
import { useNow } from '../../time/clock.js';
import { dayOnly, VIEWER_ZONE } from '../../time/format.js';
import { Moment, useZone, ZoneContext } from '../../time/Moment.js';
import { ZoneToggle } from '../../time/ZoneToggle.js';
import { CopyText } from '../../ui/CopyText.js';
import { Download } from '../../ui/Download.js';
import { type Column, Table } from '../../ui/List.js';
import { Marked, meaningOf } from '../../ui/Mark.js';
import { STATUS } from '../../ui/meanings.js';
import { PageHead } from '../../ui/PageHead.js';
import { Panel } from '../../ui/Panel.js';
import { Empty, Pending } from '../../ui/States.js';
import { BottleName } from '../bottle/BottleName.js';
import { AuditLink } from '../audit/AuditLink.js';
import { Contacts } from '../bottle/contacts/ContactsTab.js';
import { ErasePerson } from '../bottle/manage/Erase.js';
import { DoseCalendar } from '../bottle/overview/DoseCalendar.js';
import { CoverageGaps } from '../../ui/CoverageGaps.js';
import { OpenAlerts } from '../bottle/overview/Overview.js';
import { scheduleText } from '../bottle/schedule/schedule-text.js';
import { Periods } from '../periods/Periods.js';
import { AddressHistory } from './AddressHistory.js';
import { ContactLine } from './ContactLine.js';
import { MedicationFigures } from './MedicationFigures.js';
import { Messages } from './Messages.js';
import { Notes } from './Notes.js';
import classes from './PersonPage.module.css';
import { personPath, usePerson, zoneOf } from './queries.js';
import { TodayAxis } from './TodayAxis.js';
import { WeekStrip } from './WeekStrip.js';
import { t } from '../../i18n/i18n.js';
import { amountText } from '../../i18n/pills.js';

const route = getRouteApi('/people/$userId');

/** Everything about one person, across all their bottles. */
export function PersonPage() {
  const { userId } = route.useParams();
  const query = usePerson(userId);
  if (isStatus(query.error, 404)) return <Nobody userId={userId} />;
  if (!query.data) return <Pending query={query} lines={8} />;
  return <Page key={userId} person={query.data} />;
}

function Nobody({ userId }: { userId: string }) {
  return (
    <>
      <PageHead title={t('Person not found')} />
      <Empty title={t('Nothing is stored about {{userId}}', { userId })}>
        <Trans
          i18nKey="They were erased, or the user ID is wrong. <find>Find a bottle</find>"
          components={{ find: <Link to="/bottles" /> }}
        />
      </Empty>
    </>
  );
}

function Page({ person }: { person: Person }) {
  const home = zoneOf(person);
  const [zone, setZone] = useState(home);
  const shown = zone === VIEWER_ZONE ? VIEWER_ZONE : home;
  const { user_id: userId, open_alerts: alerts } = person;
  const path = personPath(userId);
  const isAdmin = useMay('admin');
  return (
    <ZoneContext.Provider value={shown}>
      <Head person={person} />
      <div className={classes['bar']}>
        <ZoneToggle zone={home} shown={shown} onChange={setZone} />
      </div>
      <div className={classes['columns']}>
        <div className={classes['column']}>
          <CoverageGaps range={{ span: '24 h' }} part="device-api" />
          <OpenAlerts alerts={alerts} named />
          <TodayAxis bottles={person.bottles} />
          <WeekStrip person={person} />
          <Bottles person={person} />
          <DoseCalendar of={{ key: ['person', userId], path, monitoredSince: monitoredSinceOf(person) }} />
          <MedicationFigures userId={userId} path={path} />
        </div>
        <div className={classes['column']}>
          <Notes path={`${path}/notes`} userId={userId} notes={person.notes} bottles={person.bottles} />
          <Periods path={path} zone={home} ofPerson />
          <Contacts userId={userId} zone={home} />
          <AddressHistory userId={userId} />
          <Messages userId={userId} path={path} />
          {isAdmin && <ErasePerson userId={userId} />}
        </div>
      </div>
    </ZoneContext.Provider>
  );
}

/** The first report of any of their bottles; null before it. Not known of somebody who had others before. */
const monitoredSinceOf = ({ bottles, former_bottles }: Person): string | null | undefined =>
  former_bottles.length > 0
    ? undefined
    : (bottles.flatMap(({ monitored_since }) => monitored_since ?? []).toSorted()[0] ?? null);

function Head({ person: { user_id: userId, contact } }: { person: Person }) {
  const isSupport = useMay('support');
  const path = personPath(userId);
  return (
    <PageHead
      title={contact?.name ?? userId}
      lead={
        <span className={classes['who']}>
          <CopyText text={userId} label={t('Copy user ID')} />
          {contact && <ContactLine contact={contact} />}
        </span>
      }
    >
      <Link to="/people/$userId/report" params={{ userId }} className={classes['report']}>
        {t('Report for a doctor')}
      </Link>
      <AuditLink subject={{ kind: 'contact', id: userId }} />
      {isSupport && (
        <Download href={`${path}/export`} name="person.json">
          {t('Export all')}
        </Download>
      )}
    </PageHead>
  );
}

function Bottles({ person: { user_id, bottles, former_bottles, has_more_bottles } }: { person: Person }) {
  return (
    <Panel title={t('Bottles')} aside={bottles.length} flush className={classes['bottles']}>
      {bottles.length === 0 ? (
        <Empty title={t('No bottles')} />
      ) : (
        <Table columns={COLUMNS} rows={bottles} rowKey={({ bottle_id }) => bottle_id} />
      )}
      {has_more_bottles && (
        <p className={classes['more']}>
          <Trans
            i18nKey="Not all are shown. <all>All bottles of this person</all>"
            components={{ all: <Link to="/bottles" search={{ user_id }} /> }}
          />
        </p>
      )}
      {former_bottles.length > 0 && (
        <ul className={classes['more']} aria-label={t('Former bottles')}>
          {former_bottles.map((bottle) => (
            <Former key={bottle.bottle_id} bottle={bottle} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

const COLUMNS: readonly Column<PersonsBottle>[] = [
  {
    title: t('Medication'),
    cell: (bottle) => <BottleName bottle={bottle} small={bottle.bottle_id} />,
  },
  { title: t('Plan'), cell: ({ plan }) => <Plan plan={plan} /> },
  { title: t('Status'), cell: ({ status }) => <Marked of={meaningOf(STATUS, status)} /> },
  {
    title: t('Pills left'),
    as: 'number',
    cell: ({ pills_left }) => (pills_left === null ? t('unknown') : amountText(pills_left)),
  },
  {
    title: t('Next dose'),
    cell: ({ next_dose }) =>
      next_dose ? <Moment at={next_dose.scheduled_at} /> : t('none', { context: 'dose' }),
  },
  {
    title: t('Last seen'),
    cell: ({ last_heard_at }) => (last_heard_at ? <Moment at={last_heard_at} as="ago" /> : t('never')),
  },
];

/** The plan in words: the step that applies, and those that follow. */
function Plan({ plan }: Pick<PersonsBottle, 'plan'>) {
  const present = useNow();
  if (plan.length === 0) return t('No schedule');
  return (
    <ul>
      {plan.map(({ effective_from, time_zone, schedule }) => {
        const text = scheduleText(schedule, time_zone, present);
        const from = Date.parse(effective_from);
        return (
          <li key={effective_from}>
            {from > present
              ? t('From {{day}}: {{schedule}}', { day: dayOnly(from, time_zone, present), schedule: text })
              : text}
          </li>
        );
      })}
    </ul>
  );
}

/** A bottle that is somebody else's now: only when it was this person's. */
function Former({ bottle: { medication, owned } }: { bottle: FormerBottle }) {
  const zone = useZone();
  const present = useNow();
  const until = owned.at(-1)?.until;
  const name = medication ?? t('Unknown medication');
  return (
    <li>
      {until
        ? t('{{medication}}: theirs until {{day}}', {
            medication: name,
            day: dayOnly(Date.parse(until), zone, present),
          })
        : t('{{medication}}: theirs until now', { medication: name })}
    </li>
  );
}
