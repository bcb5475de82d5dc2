import { Switch, TextInput } from '@mantine/core';
import type { ContactDetails } from '../../../api/schema.js';
import { ADDRESS_FIELDS, withAddress } from '../../../channels.js';
import { t } from '../../../i18n/i18n.js';

interface CarerFieldsProps {
  carer: ContactDetails;
  onChange: (carer: ContactDetails) => void;
}

/** Who several people's carer is to be. */
export function CarerFields({ carer, onChange }: CarerFieldsProps) {
  return (
    <>
      <p>{t('Where alerts never go to this carer, they do after 30 minutes.')}</p>
      {ADDRESS_FIELDS.map((field) => {
        const { key, title, label = title, input } = field;
        return input === 'switch' ? (
          <Switch
            key={key}
            label={label}
            checked={carer[key] === true}
            onChange={(event) => onChange({ ...carer, [key]: event.currentTarget.checked })}
          />
        ) : (
          <TextInput
            key={key}
            label={label}
            type={input}
            value={String(carer[key] ?? '')}
            onChange={({ currentTarget }) => onChange(withAddress(carer, field, currentTarget.value))}
          />
        );
      })}
    </>
  );
}
