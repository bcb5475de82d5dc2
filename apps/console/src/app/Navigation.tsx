import { Link } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import { useMay } from '../api/session.js';
import { useFleet } from '../features/fleet/queries.js';
import {
  AlertsIcon,
  AuditIcon,
  BottleIcon,
  FleetIcon,
  KeyIcon,
  RegisterIcon,
  StaffIcon,
} from '../ui/icons.js';
import classes from './Navigation.module.css';

interface Item {
  to: '/' | '/alerts' | '/bottles' | '/register' | '/staff' | '/api-keys' | '/audit';
  label: string;
  icon: ComponentType;
  count?: ReactNode;
}

/** Links to the pages that the user's role allows. */
export function Navigation() {
  const isSupport = useMay('support');
  const isAdmin = useMay('admin');
  return (
    <nav aria-label="Main" className={classes['nav']}>
      <Items
        items={[
          { to: '/', label: 'Fleet', icon: FleetIcon },
          { to: '/alerts', label: 'Alerts', icon: AlertsIcon, count: <OpenAlerts /> },
          { to: '/bottles', label: 'Bottles', icon: BottleIcon },
          ...(isSupport ? [{ to: '/register', label: 'Register', icon: RegisterIcon } as const] : []),
        ]}
      />
      {isSupport && (
        <>
          <p className={classes['group']}>Administration</p>
          <Items
            items={[
              ...(isAdmin
                ? ([
                    { to: '/staff', label: 'Staff', icon: StaffIcon },
                    { to: '/api-keys', label: 'API keys', icon: KeyIcon },
                  ] as const)
                : []),
              { to: '/audit', label: 'Audit log', icon: AuditIcon },
            ]}
          />
        </>
      )}
    </nav>
  );
}

function Items({ items }: { items: Item[] }) {
  return (
    <ul>
      {items.map(({ to, label, icon: Icon, count }) => (
        <li key={to}>
          <Link to={to} activeOptions={{ exact: to === '/' }} className={classes['link']}>
            <Icon />
            {label}
            {count}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function OpenAlerts() {
  const { data } = useFleet();
  const open = data ? Object.values(data.open_alerts).reduce((sum, count) => sum + count, 0) : 0;
  if (open === 0) return null;
  return (
    <span className={classes['count']}>
      {open.toLocaleString('en')}
      <span className="visually-hidden"> open</span>
    </span>
  );
}
