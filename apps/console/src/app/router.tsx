import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { address } from '../api/http.js';
import { Failed, Loading } from '../ui/States.js';
import { NotFound } from './NotFound.js';
import { Shell } from './Shell.js';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

/** Keeps the search parameters that a page knows. */
function search<K extends string>(...names: K[]) {
  return (given: Record<string, unknown>): Partial<Record<K, string>> =>
    Object.fromEntries(
      names.flatMap((name) => (typeof given[name] === 'string' ? [[name, given[name]]] : [])),
    ) as Partial<Record<K, string>>;
}

const fleet = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('../features/fleet/FleetPage.js'), 'FleetPage'),
});

const bottles = createRoute({
  getParentRoute: () => root,
  path: '/bottles',
  validateSearch: search('q', 'status', 'user_id', 'medication'),
  component: lazyRouteComponent(() => import('../features/bottles/BottlesPage.js'), 'BottlesPage'),
});

const bottle = createRoute({
  getParentRoute: () => root,
  path: '/bottles/$bottleId',
  component: lazyRouteComponent(() => import('../features/bottle/BottlePage.js'), 'BottlePage'),
});

const bottleOverview = createRoute({
  getParentRoute: () => bottle,
  path: '/',
  component: lazyRouteComponent(() => import('../features/bottle/overview/Overview.js'), 'Overview'),
});

const bottleCharts = createRoute({
  getParentRoute: () => bottle,
  path: '/charts',
  component: lazyRouteComponent(() => import('../features/bottle/charts/BottleCharts.js'), 'BottleCharts'),
});

const bottleAdherence = createRoute({
  getParentRoute: () => bottle,
  path: '/adherence',
  component: lazyRouteComponent(() => import('../features/bottle/adherence/AdherenceTab.js'), 'AdherenceTab'),
});

const bottleSchedule = createRoute({
  getParentRoute: () => bottle,
  path: '/schedule',
  component: lazyRouteComponent(() => import('../features/bottle/schedule/ScheduleTab.js'), 'ScheduleTab'),
});

const bottleContacts = createRoute({
  getParentRoute: () => bottle,
  path: '/contacts',
  component: lazyRouteComponent(() => import('../features/bottle/contacts/ContactsTab.js'), 'ContactsTab'),
});

const bottleManage = createRoute({
  getParentRoute: () => bottle,
  path: '/manage',
  component: lazyRouteComponent(() => import('../features/bottle/manage/ManageTab.js'), 'ManageTab'),
});

const alerts = createRoute({
  getParentRoute: () => root,
  path: '/alerts',
  validateSearch: search('view', 'kind'),
  component: lazyRouteComponent(() => import('../features/alerts/AlertsPage.js'), 'AlertsPage'),
});

const alert = createRoute({
  getParentRoute: () => alerts,
  path: '/$alertId',
  component: lazyRouteComponent(() => import('../features/alerts/AlertPane.js'), 'AlertPane'),
});

const notifications = createRoute({
  getParentRoute: () => root,
  path: '/messages',
  validateSearch: search('status'),
  component: lazyRouteComponent(
    () => import('../features/notifications/NotificationsPage.js'),
    'NotificationsPage',
  ),
});

const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  component: lazyRouteComponent(() => import('../features/register/RegisterPage.js'), 'RegisterPage'),
});

const staff = createRoute({
  getParentRoute: () => root,
  path: '/staff',
  component: lazyRouteComponent(() => import('../features/staff/StaffPage.js'), 'StaffPage'),
});

const apiKeys = createRoute({
  getParentRoute: () => root,
  path: '/api-keys',
  component: lazyRouteComponent(() => import('../features/staff/ApiKeysPage.js'), 'ApiKeysPage'),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: search('subject', 'staff_id'),
  component: lazyRouteComponent(() => import('../features/audit/AuditPage.js'), 'AuditPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    fleet,
    bottles,
    bottle.addChildren([
      bottleOverview,
      bottleCharts,
      bottleAdherence,
      bottleSchedule,
      bottleContacts,
      bottleManage,
    ]),
    alerts.addChildren([alert]),
    notifications,
    register,
    staff,
    apiKeys,
    audit,
  ]),
  defaultPreload: 'intent',
  defaultPendingMs: 300,
  defaultPendingComponent: () => <Loading />,
  defaultErrorComponent: ({ error }) => <Failed error={error as Error} />,
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
