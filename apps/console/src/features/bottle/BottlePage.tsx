import { Link, Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { isStatus } from '../../api/http.js';
import { useWatchedBottle } from '../../api/live.js';
import { useMay } from '../../api/session.js';
import type { Bottle } from '../../api/schema.js';
import { live } from '../../app/services.js';
import { VIEWER_ZONE } from '../../time/format.js';
import { ZoneContext } from '../../time/Moment.js';
import { ZoneToggle } from '../../time/ZoneToggle.js';
import { Pending } from '../../ui/States.js';
import { BottleHead } from './BottleHead.js';
import classes from './BottlePage.module.css';
import { ErasedBottle } from './ErasedBottle.js';
import { useBottleId, useBottleQuery } from './queries.js';
import { t } from '../../i18n/i18n.js';

/** Everything about one bottle, in tabs. */
export function BottlePage() {
  const bottleId = useBottleId();
  const query = useBottleQuery(bottleId);
  const { data: bottle, error } = query;
  useWatchedBottle(live, bottleId);
  if (isStatus(error, 404) || isStatus(error, 400))
    return <ErasedBottle bottleId={bottleId} bottle={bottle} />;
  if (!bottle) return <Pending query={query} lines={8} />;
  return <Page key={bottleId} bottle={bottle} />;
}

function Page({ bottle }: { bottle: Bottle }) {
  const [zone, setZone] = useState(bottle.time_zone);
  const shown = zone === VIEWER_ZONE ? VIEWER_ZONE : bottle.time_zone;
  return (
    <ZoneContext.Provider value={shown}>
      <BottleHead bottle={bottle} />
      <div className={classes['bar']}>
        <Tabs bottleId={bottle.bottle_id} />
        <ZoneToggle zone={bottle.time_zone} shown={shown} onChange={setZone} />
      </div>
      <Outlet />
    </ZoneContext.Provider>
  );
}

const TABS = [
  { to: '/bottles/$bottleId', label: t('Overview') },
  { to: '/bottles/$bottleId/charts', label: t('Charts') },
  { to: '/bottles/$bottleId/adherence', label: t('Adherence') },
  { to: '/bottles/$bottleId/schedule', label: t('Schedule') },
  { to: '/bottles/$bottleId/contacts', label: t('Contacts') },
  { to: '/bottles/$bottleId/manage', label: t('Manage') },
] as const;

function Tabs({ bottleId }: { bottleId: string }) {
  const isSupport = useMay('support');
  return (
    <nav aria-label={t('Bottle')} className={classes['tabs']}>
      {TABS.filter(({ to }) => isSupport || to !== '/bottles/$bottleId/manage').map(({ to, label }) => (
        <Link key={to} to={to} params={{ bottleId }} activeOptions={{ exact: to === '/bottles/$bottleId' }}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
