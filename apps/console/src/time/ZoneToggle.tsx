import { SegmentedControl } from '@mantine/core';
import { showSameTime } from './calendar.js';
import { now } from './clock.js';
import { VIEWER_ZONE } from './format.js';
import { t } from '../i18n/i18n.js';

interface ZoneToggleProps {
  /** The patient's: IANA name. */
  zone: string;
  /** One of the two. */
  shown: string;
  onChange: (zone: string) => void;
}

/** Chooses between the patient's time and the viewer's; nothing if their clocks show the same. */
export function ZoneToggle({ zone, shown, onChange }: ZoneToggleProps) {
  if (showSameTime(zone, VIEWER_ZONE, now())) return null;
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('Show times in')}
      data={[
        { value: zone, label: t('Patient’s time ({{place}})', { place: place(zone) }) },
        { value: VIEWER_ZONE, label: t('Your time ({{place}})', { place: place(VIEWER_ZONE) }) },
      ]}
      value={shown}
      onChange={onChange}
    />
  );
}

/** `New York` for `America/New_York`. */
function place(zone: string): string {
  return zone.split('/').at(-1)!.replaceAll('_', ' ');
}
