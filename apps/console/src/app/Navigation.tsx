import { Link } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import { Trans } from 'react-i18next';
import { useMay } from '../api/session.js';
import { useAttention } from '../features/fleet/queries.js';
import {
  AlertsIcon,
  AuditIcon,
  BottleIcon,
  FleetIcon,
  KeyIcon,
  MessagesIcon,
  RegisterIcon,
  SettingsIcon,
  StaffIcon,
} from '../ui/icons.js';
import classes from './Navigation.module.css';
import { t } from '../i18n/i18n.js';

interface Item {
  to:
    | '/'
    | '/alerts'
    | '/bottles'
    | '/messages'
    | '/register'
    | '/staff'
    | '/api-keys'
    | '/audit'
    | '/settings';
  label: string;
  icon: ComponentType;
  count?: ReactNode;
}

/** Links to the pages that the user's role allows. */
export function Navigation() {
  const isSupport = useMay('support');
  const isAdmin = useMay('admin');
  return (
    <nav aria-label={t('Main')} className={classes['nav']}>
      <Items
        items={[
          { to: '/', label: t('Fleet'), icon: FleetIcon },
          { to: '/alerts', label: t('Alerts'), icon: AlertsIcon, count: <Attention /> },
          { to: '/bottles', label: t('Bottles'), icon: BottleIcon },
          { to: '/messages', label: t('Notifications'), icon: MessagesIcon },
          ...(isSupport ? [{ to: '/register', label: t('Register'), icon: RegisterIcon } as const] : []),
        ]}
      />
      {isSupport && (
        <>
          <p className={classes['group']}>{t('Administration')}</p>
          <Items
            items={[
              ...(isAdmin
                ? ([
                    { to: '/staff', label: t('Staff'), icon: StaffIcon },
                    { to: '/api-keys', label: t('API keys'), icon: KeyIcon },
                  ] as const)
                : []),
              { to: '/audit', label: t('Audit log'), icon: AuditIcon },
              { to: '/settings', label: t('Settings'), icon: SettingsIcon },
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

function Attention() {
  const count = useAttention();
  if (count === 0) return null;
  return (
    <span className={classes['count']}>
      <Trans
        i18nKey="{{count, number}}<hidden> need attention</hidden>"
        count={count}
        components={{ hidden: <span className="visually-hidden" /> }}
      />
    </span>
  );
}
