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
import { Failed, Loading } from '../../ui/States.js';
import { BottleHead } from './BottleHead.js';
import classes from './BottlePage.module.css';
import { ErasedBottle } from './ErasedBottle.js';
import { useBottleId, useBottleQuery } from './queries.js';

/** Everything about one bottle: what a caller asks about stands first. */
export function BottlePage() {
  const bottleId = useBottleId();
  const { data: bottle, error, refetch } = useBottleQuery(bottleId);
  useWatchedBottle(live, bottleId);
  if (isStatus(error, 404) || isStatus(error, 400))
    return <ErasedBottle bottleId={bottleId} bottle={bottle} />;
  if (!bottle) return error ? <Failed error={error} retry={() => void refetch()} /> : <Loading lines={8} />;
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
            aria-label="Times are shown in"
            data={[
              { value: bottle.time_zone, label: `Bottle’s time, ${place(bottle.time_zone)}` },
              { value: VIEWER_ZONE, label: `Your time, ${place(VIEWER_ZONE)}` },
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

/** `America/New_York` is called New York. */
function place(zone: string): string {
  return zone.split('/').at(-1)!.replaceAll('_', ' ');
}

function Tabs({ bottleId }: { bottleId: string }) {
  const supports = useMay('support');
  const params = { bottleId };
  return (
    <nav aria-label="This bottle" className={classes['tabs']}>
      <Link to="/bottles/$bottleId" params={params} activeOptions={{ exact: true }}>
        Overview
      </Link>
      <Link to="/bottles/$bottleId/charts" params={params}>
        Charts
      </Link>
      <Link to="/bottles/$bottleId/adherence" params={params}>
        Adherence
      </Link>
      <Link to="/bottles/$bottleId/schedule" params={params}>
        Schedule
      </Link>
      <Link to="/bottles/$bottleId/contacts" params={params}>
        Contacts
      </Link>
      {supports && (
        <Link to="/bottles/$bottleId/manage" params={params}>
          Manage
        </Link>
      )}
    </nav>
  );
}
