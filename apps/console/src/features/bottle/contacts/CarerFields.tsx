import { Button, TextInput } from '@mantine/core';
import { t } from '../../../i18n/i18n.js';
import { Panel } from '../../../ui/Panel.js';
import { type EditedCarer, freeId, MOST_CARERS } from './carers.js';
import { ChannelFields } from './ChannelFields.js';
import classes from './Contacts.module.css';

interface CarerFieldsProps {
  carers: EditedCarer[];
  onChange: (carers: EditedCarer[]) => void;
  errorOf: (field: string) => string | undefined;
  zone: string;
  /** The first one may be left blank. */
  isNew: boolean;
}

/** The carers of a contact: who each is, and how they are notified. */
export function CarerFields({ carers, onChange, errorOf, zone, isNew }: CarerFieldsProps) {
  const replace = (id: string, other: EditedCarer): void =>
    onChange(carers.map((carer) => (carer.id === id ? other : carer)));
  return (
    <>
      {carers.map((carer, index) => (
        <Panel key={carer.id} title={index === 0 ? t('Carer') : t('Carer {{number}}', { number: index + 1 })}>
          <div className={classes['group']}>
            {isNew && index === 0 && <p className={classes['quiet']}>{t('Leave blank if there is none.')}</p>}
            <WhoFields
              carer={carer}
              onChange={(other) => replace(carer.id, other)}
              errorOf={(field) => errorOf(`carers[${index}].${field}`)}
            />
            <ChannelFields
              channels={carer}
              onChange={(channels) => replace(carer.id, { ...channels, ...whoIs(carer) })}
              errorOf={(field) => errorOf(`carers[${index}].${field}`)}
            />
            {!(isNew && index === 0) && (
              <div>
                <Button
                  variant="default"
                  onClick={() => onChange(carers.filter(({ id }) => id !== carer.id))}
                >
                  {t('Remove carer')}
                </Button>
              </div>
            )}
          </div>
        </Panel>
      ))}
      {carers.length < MOST_CARERS && (
        <div>
          <Button
            variant="default"
            onClick={() => {
              const added = { id: freeId(carers), time_zone: zone };
              // the carer of that id is the first
              onChange(added.id === 'carer' ? [added, ...carers] : [...carers, added]);
            }}
          >
            {t('Add carer')}
          </Button>
        </div>
      )}
    </>
  );
}

const whoIs = ({ id, relation, groups }: EditedCarer): Pick<EditedCarer, 'id' | 'relation' | 'groups'> => ({
  id,
  ...(relation !== undefined && { relation }),
  ...(groups !== undefined && { groups }),
});

interface WhoFieldsProps {
  carer: EditedCarer;
  onChange: (carer: EditedCarer) => void;
  errorOf: (field: string) => string | undefined;
}

function WhoFields({ carer, onChange, errorOf }: WhoFieldsProps) {
  const { relation, groups, ...others } = carer;
  return (
    <div className={classes['row']}>
      <TextInput
        label={t('Relation')}
        description={t('For staff, such as daughter')}
        w={280}
        value={relation ?? ''}
        error={errorOf('relation')}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...others, ...(groups && { groups }), ...(value !== '' && { relation: value }) })
        }
      />
      <TextInput
        label={t('Groups')}
        description={t('Steps can notify a group. Separate several by commas.')}
        w={280}
        defaultValue={(groups ?? []).join(', ')}
        error={errorOf('groups')}
        onChange={({ currentTarget: { value } }) => {
          const named = [...new Set(value.split(',').map((name) => name.trim()))].filter(Boolean);
          onChange({
            ...others,
            ...(relation !== undefined && { relation }),
            ...(named.length > 0 && { groups: named }),
          });
        }}
      />
    </div>
  );
}
