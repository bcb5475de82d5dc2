import { Button, Checkbox, Popover } from '@mantine/core';
import { COLUMN_NAMES, COLUMNS, showColumns, useColumns } from './columns.js';
import classes from './BottlesPage.module.css';
import { t } from '../../i18n/i18n.js';

/** Which columns the list shows; remembered by this browser. */
export function ColumnsMenu() {
  const shown = useColumns();
  return (
    <Popover position="bottom-end" trapFocus keepMounted={false}>
      <Popover.Target>
        <Button variant="default">{t('Columns')}</Button>
      </Popover.Target>
      <Popover.Dropdown>
        <fieldset className={classes['columns']}>
          <legend className="visually-hidden">{t('Columns')}</legend>
          {COLUMN_NAMES.map((name) => (
            <Checkbox
              key={name}
              label={COLUMNS[name].title}
              checked={shown.includes(name)}
              onChange={({ currentTarget: { checked } }) =>
                showColumns(checked ? [...shown, name] : shown.filter((one) => one !== name))
              }
            />
          ))}
        </fieldset>
      </Popover.Dropdown>
    </Popover>
  );
}
