import { Select } from '@mantine/core';
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
export function ZoneSelect(props: ZoneSelectProps) {
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
}
