import { alertKind } from '../../../alert-kinds/alert-kinds.js';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Trans } from 'react-i18next';
import { get } from '../../../api/request.js';
import type { Alert, Note } from '../../../api/schema.js';
import { Moment } from '../../../time/Moment.js';
import { Mark } from '../../../ui/Mark.js';
import { Panel } from '../../../ui/Panel.js';
import { CoverageGaps } from '../../../ui/CoverageGaps.js';
import { AcknowledgeButton } from '../../alerts/ActionDialog.js';
import { AlertState, AlertTitle } from '../../alerts/alert-text.js';
import { Notes } from '../../person/Notes.js';
import { useBottle } from '../queries.js';
import { DoseCalendar } from './DoseCalendar.js';
import { LastDoses } from './LastDoses.js';
import classes from './Overview.module.css';
import { ReportProblems } from './ReportProblems.js';
import { Timeline } from './Timeline.js';
import { TodayPanel } from './TodayPanel.js';
import { t } from '../../../i18n/i18n.js';

/** The bottle's open alerts, its doses of today and before, and its activity. */
export function Overview() {
  const { bottle_id: id, open_alerts: alerts, monitored_since: monitoredSince } = useBottle();
  return (
    <div className={classes['columns']}>
      <div className={classes['column']}>
        <CoverageGaps range={{ span: '24 h' }} part="device-api" />
        <OpenAlerts alerts={alerts} />
        <ReportProblems />
        <TodayPanel />
        <LastDoses />
        <BottleNotes />
        <DoseCalendar of={{ key: ['bottle', id], path: `/v1/bottles/${id}`, monitoredSince }} />
      </div>
      <Timeline />
    </div>
  );
}

/** Notes about the bottle and about its owner. */
function BottleNotes() {
  const { bottle_id, medication, user_id } = useBottle();
  const path = `/v1/bottles/${bottle_id}/notes`;
  const { data } = useQuery({
    queryKey: ['bottle', bottle_id, 'notes'],
    queryFn: ({ signal }) => get<{ items: Note[] }>(path, { signal }),
  });
  if (!data) return null;
  return <Notes path={path} userId={user_id} notes={data.items} bottles={[{ bottle_id, medication }]} />;
}

/** Open alerts; nothing if there are none. @param named shows the medications, too */
export function OpenAlerts({ alerts, named = false }: { alerts: Alert[]; named?: boolean }) {
  if (alerts.length === 0) return null;
  return (
    <Panel title={t('Alerts')} aside={t('{{alerts}} open', { alerts: alerts.length })} flush>
      <ul className={classes['list']}>
        {alerts.map((alert) => (
          <Row key={alert.id} alert={alert} named={named} />
        ))}
      </ul>
    </Panel>
  );
}

function Row({ alert, named }: { alert: Alert; named: boolean }) {
  return (
    <li className={classes['row']} data-row={alert.id}>
      <Mark of={alertKind(alert.kind)} />
      <div className={classes['text']}>
        <Link to="/alerts/$alertId" params={{ alertId: alert.id }} className={classes['title']} data-row-link>
          <AlertTitle alert={alert} />
        </Link>
        <p className={classes['when']}>
          {named && `${alert.medication} · `}
          <Trans i18nKey="Raised <at/>" components={{ at: <Moment at={alert.raised_at} /> }} />
          {' · '}
          <AlertState alert={alert} />
          {alert.assigned_to && ` · ${t('assigned to {{name}}', { name: alert.assigned_to.name })}`}
        </p>
      </div>
      {alert.state === 'open' && <AcknowledgeButton alertId={alert.id} />}
    </li>
  );
}
