import { Select, Switch, TextInput } from '@mantine/core';
import type { ContactDetails } from '../../../api/schema.js';
import { ADDRESS_FIELDS, unverifiedFields, withAddress } from '../../../channels.js';
import { t } from '../../../i18n/i18n.js';
import { ZoneSelect } from '../../../time/ZoneSelect.js';
import classes from './Contacts.module.css';
import { LANGUAGE_LABELS } from './languages.js';

interface ChannelFieldsProps {
  channels: ContactDetails;
  onChange: (channels: ContactDetails) => void;
  errorOf: (field: string) => string | undefined;
  /** The cursor begins here. */
  isFirst?: boolean;
}

const LANGUAGE_CHOICES = [
  { value: '', label: t('English; pages: that of the browser') },
  ...Object.entries(LANGUAGE_LABELS).map(([value, label]) => ({ value, label })),
];

const NIGHT = { from: '22:00', to: '07:00' };

/** How and when one person is notified. */
export function ChannelFields({ channels, onChange, errorOf, isFirst = false }: ChannelFieldsProps) {
  const { quiet_hours } = channels;
  /** Sets a field, or removes it if the value is undefined. */
  const set = <K extends keyof ContactDetails>(field: K, value: ContactDetails[K] | undefined): void => {
    const { [field]: _old, ...others } = channels;
    onChange(value === undefined ? others : { ...others, [field]: value });
  };
  return (
    <div className={classes['group']}>
      {ADDRESS_FIELDS.filter(({ input }) => input === 'switch').map(({ key, title, label = title }) => (
        <Switch
          key={key}
          label={label}
          checked={channels[key] === true}
          onChange={(event) => set(key, event.currentTarget.checked)}
        />
      ))}
      <div className={classes['row']}>
        {ADDRESS_FIELDS.filter(({ input }) => input !== 'switch').map((field, index) => (
          <TextInput
            key={field.key}
            autoFocus={isFirst && index === 0}
            label={field.label ?? field.title}
            type={field.input}
            w={280}
            value={String(channels[field.key] ?? '')}
            error={errorOf(field.key)}
            onChange={({ currentTarget }) => onChange(withAddress(channels, field, currentTarget.value))}
          />
        ))}
        <ZoneSelect
          width={240}
          value={channels.time_zone ?? ''}
          error={errorOf('time_zone')}
          onChange={(zone) => set('time_zone', zone || undefined)}
        />
        <Select
          label={t('Language')}
          description={t('Of messages, and of the pages behind their links')}
          w={240}
          data={LANGUAGE_CHOICES}
          value={channels.language ?? ''}
          allowDeselect={false}
          onChange={(language) => set('language', (language || undefined) as ContactDetails['language'])}
        />
      </div>
      {unverifiedFields(channels).map(({ key, verification: { label, description } }) => (
        <Switch
          key={key}
          label={label}
          description={description}
          checked={channels[`${key}_verified`] === true}
          onChange={(event) => set(`${key}_verified`, event.currentTarget.checked || undefined)}
        />
      ))}
      {channels.push !== undefined && (
        <Switch
          label={t('Their browsers show messages')}
          description={t('Once off, the person must add each browser again, on the page of a message.')}
          checked={channels.push}
          onChange={(event) => set('push', event.currentTarget.checked)}
        />
      )}
      <Switch
        label={t('Quiet hours')}
        description={t('Non-critical notifications wait until quiet hours end.')}
        checked={quiet_hours !== undefined}
        onChange={(event) => set('quiet_hours', event.currentTarget.checked ? NIGHT : undefined)}
      />
      {quiet_hours && (
        <div className={classes['row']}>
          {(['from', 'to'] as const).map((end) => (
            <TextInput
              key={end}
              type="time"
              label={end === 'from' ? t('From') : t('To')}
              required
              value={quiet_hours[end]}
              error={errorOf(`quiet_hours.${end}`)}
              onChange={(event) => set('quiet_hours', { ...quiet_hours, [end]: event.currentTarget.value })}
            />
          ))}
        </div>
      )}
    </div>
  );
}
