import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  type RouteComponent,
} from '@tanstack/react-router';
import { address } from '../api/http.js';
import { AlarmQualityPage } from '../features/alerts/AlarmQualityPage.js';
import { AlertPane } from '../features/alerts/AlertPane.js';
import { AlertsPage } from '../features/alerts/AlertsPage.js';
import { AuditPage } from '../features/audit/AuditPage.js';
import { BottlePage } from '../features/bottle/BottlePage.js';
import { AdherenceTab } from '../features/bottle/adherence/AdherenceTab.js';
import { BottleCharts } from '../features/bottle/charts/BottleCharts.js';
import { ContactsTab } from '../features/bottle/contacts/ContactsTab.js';
import { ManageTab } from '../features/bottle/manage/ManageTab.js';
import { Overview } from '../features/bottle/overview/Overview.js';
import { ScheduleTab } from '../features/bottle/schedule/ScheduleTab.js';
import { BottlesPage } from '../features/bottles/BottlesPage.js';
import { FleetPage } from '../features/fleet/FleetPage.js';
import { NotificationsPage } from '../features/notifications/NotificationsPage.js';
import { PersonPage } from '../features/person/PersonPage.js';
import { ReportPage } from '../features/person/ReportPage.js';
import { RegisterPage } from '../features/register/RegisterPage.js';
import { SettingsPage } from '../features/settings/SettingsPage.js';
import { ApiKeysPage } from '../features/staff/ApiKeysPage.js';
import { StaffPage } from '../features/staff/StaffPage.js';
import { NotFound } from './NotFound.js';
import { PageFailed } from './PageFailed.js';
import { Shell } from './Shell.js';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

/** Keeps the search parameters that a page knows. */
function search<K extends string>(...names: K[]) {
  return (given: Record<string, unknown>): Partial<Record<K, string>> =>
    Object.fromEntries(
      names.flatMap((name) => (typeof given[name] === 'string' ? [[name, given[name]]] : [])),
    ) as Partial<Record<K, string>>;
}

function page<const Parent extends AnyRoute, const Path extends string>(
  parent: Parent,
  path: Path,
  component: RouteComponent,
) {
  return createRoute({ getParentRoute: () => parent, path, component });
}

const bottles = createRoute({
  getParentRoute: () => root,
  path: '/bottles',
  validateSearch: search('q', 'status', 'user_id', 'medication', 'life', 'sort'),
  component: BottlesPage,
});
const bottle = page(root, '/bottles/$bottleId', BottlePage);
const alerts = createRoute({
  getParentRoute: () => root,
  path: '/alerts',
  validateSearch: search('view', 'kind'),
  component: AlertsPage,
});
const alarmQuality = createRoute({
  getParentRoute: () => root,
  path: '/alarm-quality',
  validateSearch: search('by'),
  component: AlarmQualityPage,
});
const notifications = createRoute({
  getParentRoute: () => root,
  path: '/messages',
  validateSearch: search('status', 'user_id', 'channel', 'from', 'to'),
  component: NotificationsPage,
});
const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: search('subject', 'staff_id', 'category', 'from', 'to'),
  component: AuditPage,
});

export const router = createRouter({
  routeTree: root.addChildren([
    page(root, '/', FleetPage),
    bottles,
    bottle.addChildren([
      page(bottle, '/', Overview),
      page(bottle, '/charts', BottleCharts),
      page(bottle, '/adherence', AdherenceTab),
      page(bottle, '/schedule', ScheduleTab),
      page(bottle, '/contacts', ContactsTab),
      page(bottle, '/manage', ManageTab),
    ]),
    page(root, '/people/$userId', PersonPage),
    page(root, '/people/$userId/report', ReportPage),
    alerts.addChildren([page(alerts, '/$alertId', AlertPane)]),
    alarmQuality,
    notifications,
    page(root, '/register', RegisterPage),
    page(root, '/settings', SettingsPage),
    page(root, '/staff', StaffPage),
    page(root, '/api-keys', ApiKeysPage),
    audit,
  ]),
  defaultErrorComponent: ({ error }) => <PageFailed error={error as Error} />,
  scrollRestoration: true,
  // plain text: an id that looks like a number must stay a string
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (values) => address('', values as Record<string, string>),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
