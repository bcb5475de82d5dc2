import { ALERT_KINDS, alertKind, isAboutFleet, type AlertKind } from '../../alert-kinds/alert-kinds.js';
import { useAttention, useUnassigned } from '../fleet/queries.js';
import { SegmentedControl, Select } from '@mantine/core';
import { getRouteApi, Link, Outlet, useMatch } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useMay } from '../../api/session.js';
import type { ListedAlert } from '../../api/schema.js';
import { focusedRow, type KeyMap, moveRow, useKeptPlace, useKeys } from '../../app/keys.js';
import { VIEWER_ZONE } from '../../time/format.js';
import { Moment, ZoneContext } from '../../time/Moment.js';
import { CsvLink } from '../../ui/CsvLink.js';
import { List, useList } from '../../ui/List.js';
import { Mark } from '../../ui/Mark.js';
import { PageHead } from '../../ui/PageHead.js';
import { Empty } from '../../ui/States.js';
import { whoseBottleText } from '../bottle/names.js';
import { SelectionBar, useActionDialog } from './ActionDialog.js';
import type { Target } from './actions.js';
import classes from './AlertsPage.module.css';
import { perform, useHeld } from './held.js';
import { useIncident } from './IncidentDecision.js';
import { AlertState, AlertTitle, isActive } from './alert-text.js';
import { t, numberText } from '../../i18n/i18n.js';

const route = getRouteApi('/alerts');

const KINDS = [
  { value: '', label: t('All kinds') },
  ...ALERT_KINDS.map((kind) => ({ value: kind, label: alertKind(kind).label })),
];

/** Alerts by state, those that need attention first. On a wide screen the open alert is shown beside the list. */
export function AlertsPage() {
  const { view: viewName, kind } = route.useSearch();
  const navigate = route.useNavigate();
  const opened = useMatch({ from: '/alerts/$alertId', shouldThrow: false })?.params.alertId;
  const view = viewNamed(viewName);
  const query = { ...VIEWS[view].query, kind };
  const list = useList<ListedAlert>(['alerts'], '/v1/alerts', query);
  const held = useHeld();
  // what is acted upon leaves its list at once
  const alerts = (list.items ?? []).filter(({ id }) => view === 'all' || !held.has(id));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const needsMore = alerts.length === 0 && held.size > 0 && hasNextPage && !isFetchingNextPage;
  useEffect(() => {
    if (needsMore) void fetchNextPage();
  }, [needsMore, fetchNextPage]);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const chosen = alerts.filter(({ id }) => selected.has(id));
  const toggle = (id: string): void =>
    setSelected((before) =>
      before.has(id) ? new Set([...before].filter((other) => other !== id)) : new Set([...before, id]),
    );
  useKeptPlace(alerts.map(({ id }) => id));
  const dialog = useAlertKeys({ alerts, chosen, opened, select: (ids) => setSelected(new Set(ids)) });
  return (
    <>
      <PageHead title={t('Alerts')}>
        <Link to="/alarm-quality">{t('Alarm quality')}</Link>
        <CsvLink path="/v1/alerts" query={query} name="alerts" />
      </PageHead>
      <div className={classes['filters']}>
        <SegmentedControl
          aria-label={t('Filter by state')}
          size="xs"
          data={(Object.keys(VIEWS) as ViewName[]).map((value) => ({
            value,
            label: <ViewLabel view={value} />,
          }))}
          value={view}
          onChange={(value) => void navigate({ to: '/alerts', search: { view: value, kind } })}
        />
        <Select
          aria-label={t('Filter by kind')}
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
          {dialog}
          <List list={list.items ? { ...list, items: alerts } : list} empty={<NoAlerts view={view} />}>
            {() => (
              <>
                <SelectAll alerts={alerts} selected={selected} onChange={setSelected} />
                <ul>
                  {alerts.map((alert) => (
                    <ZoneContext.Provider key={alert.id} value={alert.time_zone ?? VIEWER_ZONE}>
                      <AlertRow
                        alert={alert}
                        opened={alert.id === opened}
                        selected={selected.has(alert.id)}
                        onSelect={() => toggle(alert.id)}
                      />
                    </ZoneContext.Provider>
                  ))}
                </ul>
              </>
            )}
          </List>
        </div>
        <div className={classes['pane']}>
          {opened === undefined ? (
            <Empty title={t('Select an alert')}>
              {t('Its evidence, notifications and history appear here.')}
            </Empty>
          ) : (
            <Outlet />
          )}
        </div>
      </div>
    </>
  );
}

interface SelectAllProps {
  alerts: readonly ListedAlert[];
  selected: ReadonlySet<string>;
  onChange: (selected: ReadonlySet<string>) => void;
}

/** Selects all alerts of the list that can be acted upon, or none; nothing where there is at most one. */
function SelectAll({ alerts, selected, onChange }: SelectAllProps) {
  const supports = useMay('support');
  const ids = alerts.filter(isActive).map(({ id }) => id);
  if (!supports || ids.length < 2) return null;
  const isAll = ids.every((id) => selected.has(id));
  return (
    <label className={classes['all']}>
      <input type="checkbox" checked={isAll} onChange={() => onChange(new Set(isAll ? [] : ids))} />
      {t('Select all {{count, number}}', { count: ids.length })}
    </label>
  );
}

/** With the number of alerts that need attention or come back: of everybody, of the viewer, of nobody. */
function ViewLabel({ view }: { view: ViewName }) {
  const fleet: Partial<Record<ViewName, number>> = { now: useAttention(), unassigned: useUnassigned() };
  const counted = useList<ListedAlert>(
    ['alert-counts'],
    '/v1/alerts',
    VIEWS[view].query,
    COUNTED.includes(view),
  );
  const listed = `${numberText(counted.items?.length ?? 0)}${counted.hasNextPage ? '+' : ''}`;
  const count = COUNTED.includes(view) ? listed : numberText(fleet[view] ?? 0);
  return (
    <>
      {VIEWS[view].label}
      {count !== '0' && <span className={classes['count']}>{count}</span>}
    </>
  );
}

function NoAlerts({ view }: { view: string }) {
  if (view === 'now')
    return <Empty title={t('No alerts need attention')}>{t('New alerts appear here automatically.')}</Empty>;
  return <Empty title={t('No alerts')}>{t('Choose another state or kind.')}</Empty>;
}

interface AlertKeys {
  alerts: readonly ListedAlert[];
  chosen: readonly ListedAlert[];
  opened: string | undefined;
  select: (ids: readonly string[]) => void;
}

/** Selecting by keyboard, and actions on the selected alerts, or else on the focused or open one. */
function useAlertKeys({ alerts, chosen, opened, select }: AlertKeys) {
  const supports = useMay('support');
  const clear = (): void => select([]);
  const [targets, setTargets] = useState<readonly Target[]>([]);
  const { open, dialog } = useActionDialog(targets, clear);
  const latest = useRef({ alerts, chosen, opened, select, open });
  latest.current = { alerts, chosen, opened, select, open };
  const keys = useMemo((): KeyMap => {
    if (!supports) return {};
    const selected = (): string[] => latest.current.chosen.map(({ id }) => id);
    const toggle = (): void => {
      const row = focusedRow();
      const ids = selected();
      if (row !== undefined)
        latest.current.select(ids.includes(row) ? ids.filter((id) => id !== row) : [...ids, row]);
    };
    const extend = (step: 1 | -1): void => {
      const from = focusedRow();
      moveRow(step);
      const rows = [from, focusedRow()].filter((id) => id !== undefined);
      latest.current.select([...new Set([...selected(), ...rows])]);
    };
    const targetsOf = (): readonly Target[] => {
      const state = latest.current;
      const row = focusedRow() ?? state.opened;
      if (state.chosen.length > 0) return state.chosen;
      return row === undefined ? [] : [state.alerts.find(({ id }) => id === row) ?? { id: row }];
    };
    const ask = (verb: 'snooze' | 'close'): void => {
      const asked = targetsOf();
      if (asked.length === 0) return;
      setTargets(asked);
      latest.current.open(verb);
    };
    return {
      x: toggle,
      J: () => extend(1),
      K: () => extend(-1),
      'mod+a': () => latest.current.select(latest.current.alerts.filter(isActive).map(({ id }) => id)),
      Escape: () => latest.current.select([]),
      a: () => {
        const asked = targetsOf();
        if (asked.length === 0) return;
        perform({ verb: 'acknowledge', targets: asked.map(({ id }) => ({ id })) });
        latest.current.select([]);
      },
      s: () => ask('snooze'),
      e: () => ask('close'),
    };
  }, [supports]);
  useKeys(keys);
  return dialog;
}

interface AlertRowProps {
  alert: ListedAlert;
  opened: boolean;
  selected: boolean;
  onSelect: () => void;
}

/** One alert of the list: its title, subject, age and state. */
function AlertRow({ alert, opened, selected, onSelect }: AlertRowProps) {
  const supports = useMay('support');
  const search = route.useSearch();
  const { id, kind, raised_at, dead_deliveries, assigned_to } = alert;
  const whose = isAboutFleet(alert) ? t('Whole fleet') : whoseBottleText(alert);
  return (
    <li className={classes['row']} data-row={id} data-opened={opened || undefined}>
      {supports && isActive(alert) && (
        // native: fifty checkboxes of the library take as long as the rest of the list
        <input
          type="checkbox"
          className={classes['check']}
          aria-label={t('Select {{label}}, {{whose}}', { label: alertKind(kind).label, whose })}
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
          {kind === 'fleet_incident' && <Grouped alertId={id} />}
        </span>
      </Link>
      <div className={classes['when']}>
        <span>
          <Moment at={raised_at} as="ago" />
        </span>
        <span className={classes['state']}>
          <AlertState alert={alert} />
          {assigned_to && ` · ${assigned_to.name}`}
          {dead_deliveries ? <strong className={classes['dead']}> {t('· not delivered')}</strong> : null}
        </span>
      </div>
    </li>
  );
}

/** How many silent alerts are grouped under a fleet incident. */
function Grouped({ alertId }: { alertId: string }) {
  const { data } = useIncident(alertId);
  return data ? ` · ${t('{{count, number}} silent alerts grouped', { count: data.still_silent })}` : null;
}

/** The lists of alerts by state. */
const VIEWS = {
  now: { label: t('Needs attention'), query: { order: 'needs_person' } },
  mine: { label: t('Mine'), query: { order: 'needs_person', assigned: 'me' } },
  unassigned: { label: t('Unassigned'), query: { order: 'needs_person', assigned: 'nobody' } },
  snoozed: { label: t('Snoozed'), query: { order: 'comes_back' } },
  acknowledged: { label: t('Acknowledged'), query: { state: 'acknowledged' } },
  closed: { label: t('Closed'), query: { state: 'closed' } },
  resolved: { label: t('Ended'), query: { state: 'resolved' } },
  retracted: { label: t('Retracted'), query: { state: 'retracted' } },
  all: { label: t('All'), query: {} },
} as const;

type ViewName = keyof typeof VIEWS;

/** The views of which the tab counts the list. */
const COUNTED: readonly ViewName[] = ['mine', 'snoozed'];

function viewNamed(name: string | undefined): ViewName {
  return name !== undefined && Object.hasOwn(VIEWS, name) ? (name as ViewName) : 'now';
}
