import { TextInput } from '@mantine/core';
import { DAY_MS } from '../time/durations.js';
import { instantOf } from '../time/calendar.js';
import { localDay, VIEWER_ZONE } from '../time/format.js';
import { t } from '../i18n/i18n.js';

/** Days of the viewer's, as `2026-03-02`; both belong to the range. */
export interface Days {
  from?: string | undefined;
  to?: string | undefined;
}

interface DayFiltersProps {
  days: Days;
  /** Takes an empty text where a day is removed. */
  onChange: (change: Days) => void;
}

/** The first and the last day of a list. */
export function DayFilters({ days, onChange }: DayFiltersProps) {
  return (['from', 'to'] as const).map((end) => (
    <TextInput
      key={end}
      type="date"
      size="sm"
      label={end === 'from' ? t('From day') : t('To day')}
      value={days[end] ?? ''}
      onChange={(event) => onChange({ [end]: event.currentTarget.value })}
    />
  ));
}

/** The days as the API takes them: two instants, of which the second is excluded. */
export function rangeOfDays({ from, to }: Days): Days {
  return { from: midnight(from), to: midnight(to, 1) };
}

/** Midnight at the beginning of a day of the viewer's, or of the day after it. */
function midnight(day: string | undefined, after = 0): string | undefined {
  if (day === undefined) return undefined;
  const noon = instantOf(`${day}T12:00`, VIEWER_ZONE) + after * DAY_MS;
  return Number.isNaN(noon)
    ? undefined
    : new Date(instantOf(`${localDay(noon, VIEWER_ZONE)}T00:00`, VIEWER_ZONE)).toISOString();
}
