import { ALERT_KINDS, alertKind, type AlertKind } from '../../alert-kinds/alert-kinds.js';
import { endingOf } from '../../alert-kinds/endings.js';
import { SegmentedControl, Select } from '@mantine/core';
import { getRouteApi, Link, Outlet, useMatch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useMay } from '../../api/session.js';
import type { Alert } from '../../api/types.js';
import { focusedRow, type KeyMap, useKeys } from '../../app/keys.js';
import { useNow } from '../../time/clock.js';
import { Moment } from '../../time/Moment.js';
import { CsvLink } from '../../ui/CsvLink.js';
import { List, useList } from '../../ui/List.js';
import { Mark, Marked } from '../../ui/Mark.js';
import { PageHead } from '../../ui/PageHead.js';
import { Empty } from '../../ui/States.js';
import { plural } from '../../ui/text.js';
import { SelectionBar } from './ActionDialog.js';
import { type Target, useAlertAction } from './actions.js';
import classes from './AlertsPage.module.css';
import { useIncident } from './IncidentDecision.js';
import { alertStateText, AlertTitle, isActive } from './alert-text.js';

const route = getRouteApi('/alerts');

const KINDS = [
  { value: '', label: 'All kinds' },
  ...ALERT_KINDS.map((kind) => ({ value: kind, label: alertKind(kind).label })),
];

/** Alerts by state, those that need attention first. On a wide screen the open alert is shown beside the list. */
export function AlertsPage() {
  const { view: viewName, kind } = route.useSearch();
  const navigate = route.useNavigate();
  const opened = useMatch({ from: '/alerts/$alertId', shouldThrow: false })?.params.alertId;
  const view = viewNamed(viewName);
  const query = { ...VIEWS[view].query, kind };
  const list = useList<Alert>(['alerts'], '/v1/alerts', query);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const chosen = (list.items ?? []).filter(({ id }) => selected.has(id));
  const toggle = (id: string): void =>
    setSelected((before) =>
      before.has(id) ? new Set([...before].filter((other) => other !== id)) : new Set([...before, id]),
    );
  useAlertKeys({ chosen, opened, toggle, clear: () => setSelected(new Set()) });
  return (
    <>
      <PageHead title="Alerts">
        <Link to="/messages" className={classes['notifications']}>
          Notifications
        </Link>
        <CsvLink path="/v1/alerts" query={query} name="alerts" />
      </PageHead>
      <div className={classes['filters']}>
        <SegmentedControl
          aria-label="Filter by state"
          size="xs"
          data={Object.entries(VIEWS).map(([value, { label }]) => ({ value, label }))}
          value={view}
          onChange={(value) => void navigate({ to: '/alerts', search: { view: value, kind } })}
        />
        <Select
          aria-label="Filter by kind"
          size="xs"
          data={KINDS}
          value={kind ?? ''}
          onChange={(value) =>
            void navigate({
              to: '/alerts',
              search: { view: viewName, kind: value === '' ? undefined : (value as AlertKind) },
            })
          }
        />
      </div>
      <div className={classes['split']} data-opened={opened !== undefined || undefined}>
        <div className={classes['list']}>
          <SelectionBar targets={chosen} onDone={() => setSelected(new Set())} />
          <List list={list} empty={<NoAlerts view={view} />}>
            {(alerts) => (
              <ul>
                {alerts.map((alert) => (
                  <AlertRow
                    key={alert.id}
                    alert={alert}
                    opened={alert.id === opened}
                    selected={selected.has(alert.id)}
                    onSelect={() => toggle(alert.id)}
                  />
                ))}
              </ul>
            )}
          </List>
        </div>
        <div className={classes['pane']}>
          {opened === undefined ? (
            <Empty title="Select an alert">Its evidence, notifications and history appear here.</Empty>
          ) : (
            <Outlet />
          )}
        </div>
      </div>
    </>
  );
}

function NoAlerts({ view }: { view: string }) {
  if (view === 'now')
    return <Empty title="No alerts need attention">New alerts appear here automatically.</Empty>;
  return <Empty title="No alerts">Choose another state or kind.</Empty>;
}

interface AlertKeys {
  chosen: readonly Target[];
  opened: string | undefined;
  toggle: (id: string) => void;
  clear: () => void;
}

/** `x` selects the focused alert; `a` acknowledges the selected alerts, or else the focused or open one. */
function useAlertKeys({ chosen, opened, toggle, clear }: AlertKeys): void {
  const supports = useMay('support');
  const { mutate } = useAlertAction(clear);
  const ids = chosen.map(({ id }) => id).join(' ');
  const keys = useMemo((): KeyMap => {
    if (!supports) return {};
    return {
      x: () => {
        const row = focusedRow();
        if (row !== undefined) toggle(row);
      },
      a: () => {
        const row = focusedRow() ?? opened;
        const targets = ids !== '' ? ids.split(' ') : row === undefined ? [] : [row];
        if (targets.length > 0) mutate({ verb: 'acknowledge', targets: targets.map((id) => ({ id })) });
      },
    };
    // oxlint-disable-next-line react/exhaustive-deps -- `toggle` never changes what it does
  }, [supports, ids, opened, mutate]);
  useKeys(keys);
}

interface AlertRowProps {
  alert: Alert;
  opened: boolean;
  selected: boolean;
  onSelect: () => void;
}

/** One alert of the list: its title, subject, age and state. */
function AlertRow({ alert, opened, selected, onSelect }: AlertRowProps) {
  const supports = useMay('support');
  const present = useNow();
  const search = route.useSearch();
  const { id, kind, medication, user_id, raised_at, dead_deliveries } = alert;
  const ending = endingOf(alert);
  const whose = alertKind(kind).aboutFleet ? 'Whole fleet' : `${medication} · ${user_id}`;
  return (
    <li className={classes['row']} data-row={id} data-opened={opened || undefined}>
      {supports && isActive(alert) && (
        // native: fifty checkboxes of the library take as long as the rest of the list
        <input
          type="checkbox"
          className={classes['check']}
          aria-label={`Select ${alertKind(kind).label}, ${whose}`}
          checked={selected}
          onChange={onSelect}
        />
      )}
      <Mark of={alertKind(kind)} />
      <Link
        to="/alerts/$alertId"
        params={{ alertId: id }}
        search={search}
        className={classes['link']}
        data-row-link
        resetScroll={false}
      >
        <span className={classes['title']}>
          <AlertTitle alert={alert} />
        </span>
        <span className={classes['whose']}>
          {whose}
          {alertKind(kind).aboutFleet && <Grouped alertId={id} />}
        </span>
      </Link>
      <div className={classes['when']}>
        <span>
          <Moment at={raised_at} as="ago" />
        </span>
        <span className={classes['state']}>
          {ending ? (
            <Marked of={ending}>{alertStateText(alert, present)}</Marked>
          ) : (
            alertStateText(alert, present)
          )}
          {dead_deliveries ? <strong className={classes['dead']}> · not delivered</strong> : null}
        </span>
      </div>
    </li>
  );
}

/** How many silent alerts are grouped under a fleet incident. */
function Grouped({ alertId }: { alertId: string }) {
  const { data } = useIncident(alertId);
  return data ? ` · ${plural(data.still_silent, 'silent alert')} grouped` : null;
}

/** The lists of alerts by state. */
const VIEWS = {
  now: { label: 'Needs attention', query: { order: 'needs_person' } },
  snoozed: { label: 'Snoozed', query: { order: 'comes_back' } },
  acknowledged: { label: 'Acknowledged', query: { state: 'acknowledged' } },
  closed: { label: 'Closed', query: { state: 'closed' } },
  resolved: { label: 'Ended', query: { state: 'resolved' } },
  retracted: { label: 'Retracted', query: { state: 'retracted' } },
  all: { label: 'All', query: {} },
} as const;

type ViewName = keyof typeof VIEWS;

function viewNamed(name: string | undefined): ViewName {
  return name !== undefined && Object.hasOwn(VIEWS, name) ? (name as ViewName) : 'now';
}
