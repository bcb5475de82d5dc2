import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router';
import { address, ApiError } from '../api/http.js';
import { Loading } from '../ui/States.js';
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

/** A page whose code is loaded when it is opened. The router itself would reload the whole page, also while offline. */
function lazy<M extends Record<K, RouteComponent>, K extends keyof M & string>(
  load: () => Promise<M>,
  name: K,
) {
  const code = (): Promise<M> =>
    load().catch(() => {
      throw ApiError.unreachable();
    });
  return lazyRouteComponent(code, name);
}

const FleetPage = lazy(() => import('../features/fleet/FleetPage.js'), 'FleetPage');
const BottlesPage = lazy(() => import('../features/bottles/BottlesPage.js'), 'BottlesPage');
const BottlePage = lazy(() => import('../features/bottle/BottlePage.js'), 'BottlePage');
const Overview = lazy(() => import('../features/bottle/overview/Overview.js'), 'Overview');
const BottleCharts = lazy(() => import('../features/bottle/charts/BottleCharts.js'), 'BottleCharts');
const AdherenceTab = lazy(() => import('../features/bottle/adherence/AdherenceTab.js'), 'AdherenceTab');
const ScheduleTab = lazy(() => import('../features/bottle/schedule/ScheduleTab.js'), 'ScheduleTab');
const ContactsTab = lazy(() => import('../features/bottle/contacts/ContactsTab.js'), 'ContactsTab');
const ManageTab = lazy(() => import('../features/bottle/manage/ManageTab.js'), 'ManageTab');
const AlertsPage = lazy(() => import('../features/alerts/AlertsPage.js'), 'AlertsPage');
const AlertPane = lazy(() => import('../features/alerts/AlertPane.js'), 'AlertPane');
const NotificationsPage = lazy(
  () => import('../features/notifications/NotificationsPage.js'),
  'NotificationsPage',
);
const PersonPage = lazy(() => import('../features/person/PersonPage.js'), 'PersonPage');
const ReportPage = lazy(() => import('../features/person/ReportPage.js'), 'ReportPage');
const RegisterPage = lazy(() => import('../features/register/RegisterPage.js'), 'RegisterPage');
const StaffPage = lazy(() => import('../features/staff/StaffPage.js'), 'StaffPage');
const ApiKeysPage = lazy(() => import('../features/staff/ApiKeysPage.js'), 'ApiKeysPage');
const SettingsPage = lazy(() => import('../features/settings/SettingsPage.js'), 'SettingsPage');
const AuditPage = lazy(() => import('../features/audit/AuditPage.js'), 'AuditPage');

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
  validateSearch: search('q', 'status', 'user_id', 'medication', 'sort'),
  component: BottlesPage,
});
const bottle = page(root, '/bottles/$bottleId', BottlePage);
const alerts = createRoute({
  getParentRoute: () => root,
  path: '/alerts',
  validateSearch: search('view', 'kind'),
  component: AlertsPage,
});
const notifications = createRoute({
  getParentRoute: () => root,
  path: '/messages',
  validateSearch: search('status', 'user_id', 'from', 'to'),
  component: NotificationsPage,
});
const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: search('subject', 'staff_id', 'category'),
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
    notifications,
    page(root, '/register', RegisterPage),
    page(root, '/settings', SettingsPage),
    page(root, '/staff', StaffPage),
    page(root, '/api-keys', ApiKeysPage),
    audit,
  ]),
  defaultPreload: 'intent',
  defaultPendingMs: 300,
  defaultPendingComponent: () => <Loading />,
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
