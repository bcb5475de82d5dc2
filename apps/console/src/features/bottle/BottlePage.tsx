import { SegmentedControl } from '@mantine/core';
import { Link, Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { isStatus } from '../../api/http.js';
import { useWatchedBottle } from '../../api/live.js';
import { useMay } from '../../api/session.js';
import type { Bottle } from '../../api/types.js';
import { live } from '../../app/services.js';
import { VIEWER_ZONE } from '../../time/format.js';
import { ZoneContext } from '../../time/Moment.js';
import { Pending } from '../../ui/States.js';
import { BottleHead } from './BottleHead.js';
import classes from './BottlePage.module.css';
import { ErasedBottle } from './ErasedBottle.js';
import { useBottleId, useBottleQuery } from './queries.js';

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
        {bottle.time_zone !== VIEWER_ZONE && (
          <SegmentedControl
            size="xs"
            aria-label="Show times in"
            data={[
              { value: bottle.time_zone, label: `Patient’s time (${place(bottle.time_zone)})` },
              { value: VIEWER_ZONE, label: `Your time (${place(VIEWER_ZONE)})` },
            ]}
            value={shown}
            onChange={setZone}
          />
        )}
      </div>
      <Outlet />
    </ZoneContext.Provider>
  );
}

/** `New York` for `America/New_York`. */
function place(zone: string): string {
  return zone.split('/').at(-1)!.replaceAll('_', ' ');
}

const TABS = [
  { to: '/bottles/$bottleId', label: 'Overview' },
  { to: '/bottles/$bottleId/charts', label: 'Charts' },
  { to: '/bottles/$bottleId/adherence', label: 'Adherence' },
  { to: '/bottles/$bottleId/schedule', label: 'Schedule' },
  { to: '/bottles/$bottleId/contacts', label: 'Contacts' },
  { to: '/bottles/$bottleId/manage', label: 'Manage' },
] as const;

function Tabs({ bottleId }: { bottleId: string }) {
  const isSupport = useMay('support');
  return (
    <nav aria-label="Bottle" className={classes['tabs']}>
      {TABS.filter(({ label }) => isSupport || label !== 'Manage').map(({ to, label }) => (
        <Link key={to} to={to} params={{ bottleId }} activeOptions={{ exact: label === 'Overview' }}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
