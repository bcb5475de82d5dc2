import { createContext, useContext, useMemo } from 'react';
import type { Instant } from '../api/types.js';
import { useNow } from './clock.js';
import { ago, clockTime, dayAndTime, fullTime, VIEWER_ZONE } from './format.js';

/** The zone in which times are written: the viewer's, and on a bottle's page the one that was chosen there. */
export const ZoneContext = createContext(VIEWER_ZONE);

export function useZone(): string {
  return useContext(ZoneContext);
}

interface MomentProps {
  at: Instant;
  /** IANA name; the page's zone unless given. */
  zone?: string;
  /** `ago` writes `23 min ago`, `time` leaves out the day. */
  as?: 'day-and-time' | 'time' | 'ago';
}

/** An instant, never without its zone. Pointing at it shows it in full, in the viewer's zone too. */
export function Moment({ at, zone, as = 'day-and-time' }: MomentProps) {
  const present = useNow();
  const pageZone = useZone();
  const shownIn = zone ?? pageZone;
  const instant = Date.parse(at);
  const full = useMemo(
    () => [...new Set([shownIn, VIEWER_ZONE])].map((name) => fullTime(instant, name)).join('\n'),
    [instant, shownIn],
  );
  return (
    <time dateTime={at} title={full}>
      {as === 'ago' && ago(instant, present)}
      {as === 'time' && clockTime(instant, shownIn)}
      {as === 'day-and-time' && dayAndTime(instant, shownIn, present)}
    </time>
  );
}
