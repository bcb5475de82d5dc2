import { Select, Switch, TextInput } from '@mantine/core';
import type { Reach } from '../../../api/types/contact.js';
import { ZONES } from '../../../time/all-zones.js';
import classes from './Contacts.module.css';

interface ReachFieldsProps {
  reach: Reach;
  onChange: (reach: Reach) => void;
  wrong: (field: string) => string | undefined;
}

const NIGHT = { from: '22:00', to: '07:00' };

/** How and when one person is reached. */
export function ReachFields({ reach, onChange, wrong }: ReachFieldsProps) {
  const { email: _email, quiet_hours, ...rest } = reach;
  const quiet = quiet_hours ? { quiet_hours } : {};
  const mail = reach.email === undefined ? {} : { email: reach.email };
  return (
    <div className={classes['group']}>
      <Switch
        label="By the operator’s webhook"
        checked={reach.webhook ?? false}
        onChange={(event) => onChange({ ...reach, webhook: event.currentTarget.checked })}
      />
      <div className={classes['row']}>
        <TextInput
          label="E-mail"
          type="email"
          w={280}
          value={reach.email ?? ''}
          error={wrong('email')}
          onChange={(event) => {
            const email = event.currentTarget.value.trim();
            onChange({ ...rest, ...quiet, ...(email === '' ? {} : { email }) });
          }}
        />
        <Select
          label="Time zone"
          w={240}
          searchable
          data={ZONES}
          value={reach.time_zone ?? null}
          error={wrong('time_zone')}
          onChange={(zone) => onChange({ ...reach, ...(zone === null ? {} : { time_zone: zone }) })}
        />
      </div>
      <Switch
        label="Quiet hours: messages wait until they are over"
        checked={quiet_hours !== undefined}
        onChange={(event) =>
          onChange({ ...rest, ...mail, ...(event.currentTarget.checked ? { quiet_hours: NIGHT } : {}) })
        }
      />
      {quiet_hours && (
        <div className={classes['row']}>
          <TextInput
            type="time"
            label="From"
            required
            withAsterisk={false}
            value={quiet_hours.from}
            error={wrong('quiet_hours.from')}
            onChange={(event) =>
              onChange({ ...reach, quiet_hours: { ...quiet_hours, from: event.currentTarget.value } })
            }
          />
          <TextInput
            type="time"
            label="To"
            required
            withAsterisk={false}
            value={quiet_hours.to}
            error={wrong('quiet_hours.to')}
            onChange={(event) =>
              onChange({ ...reach, quiet_hours: { ...quiet_hours, to: event.currentTarget.value } })
            }
          />
        </div>
      )}
    </div>
  );
}
