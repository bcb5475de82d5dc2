import { Select } from '@mantine/core';
import { memo, useCallback, useRef } from 'react';
import { t } from '../i18n/i18n.js';

/** Every zone that the browser knows, by its IANA name. */
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

interface ZoneSelectProps {
  label?: string;
  description?: string;
  /** IANA name, or `''` for the default. */
  value: string;
  /** The text of the choice `''`, if it is offered. */
  defaultLabel?: string;
  width?: number;
  error?: string | undefined;
  onChange: (zone: string) => void;
}

/** A list of time zones with search. */
export function ZoneSelect({ onChange, ...props }: ZoneSelectProps) {
  const latest = useRef(onChange);
  latest.current = onChange;
  const choose = useCallback((zone: string) => latest.current(zone), []);
  return <Zones {...props} onChange={choose} />;
}

/** Hundreds of choices: not made again for each key that is typed into another field of a form. */
const Zones = memo(function Zones(props: ZoneSelectProps) {
  const { label = t('Time zone'), value, defaultLabel, width, onChange, ...rest } = props;
  const known = value === '' || ZONES.includes(value) ? ZONES : [value, ...ZONES];
  return (
    <Select
      label={label}
      searchable
      data={defaultLabel === undefined ? known : [{ value: '', label: defaultLabel }, ...known]}
      value={value === '' && defaultLabel === undefined ? null : value}
      onChange={(chosen) => onChange(chosen ?? value)}
      {...(width === undefined ? {} : { w: width })}
      {...rest}
    />
  );
});
