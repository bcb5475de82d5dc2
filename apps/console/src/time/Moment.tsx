import { createContext, useContext, useMemo } from 'react';
import { Trans } from 'react-i18next';
import type { Instant } from '../api/vocabulary.js';
import { useNow } from './clock.js';
import { ago, clockTime, dayAndTime, fullTime, VIEWER_ZONE } from './format.js';

/** The time zone of displayed times: the viewer's, or the one chosen on a bottle's page. */
export const ZoneContext = createContext(VIEWER_ZONE);

export function useZone(): string {
  return useContext(ZoneContext);
}

/** `08:00 CET to 09:00 CET`. */
export function Period({ from, to, ...zone }: { from: Instant; to: Instant; zone?: string }) {
  return (
    <Trans
      i18nKey="<from/> to <to/>"
      components={{ from: <Moment at={from} {...zone} />, to: <Moment at={to} {...zone} /> }}
    />
  );
}

interface MomentProps {
  at: Instant;
  /** IANA name; the page's zone unless given. */
  zone?: string;
  /** `ago` writes `23 min ago`, `time` leaves out the day. */
  as?: 'day-and-time' | 'time' | 'ago';
}

/** An instant, always with its zone. The tooltip shows it in full, also in the viewer's zone. */
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
