import { Button } from '@mantine/core';
import { useState } from 'react';
import { BULK_CHANGES, BulkDialog, type BulkName } from './BulkDialog.js';
import type { Selection } from './selection.js';
import classes from './Bulk.module.css';
import { t } from '../../../i18n/i18n.js';

/** What can be done with the selected bottles. */
export function BulkBar({ selection }: { selection: Selection | undefined }) {
  const [chosen, setChosen] = useState<BulkName>();
  if (!selection) return null;
  const { bottles, selectable, selectAll, clear } = selection;
  return (
    <div role="status" className={classes['status']}>
      {bottles.length > 0 && (
        <div className={classes['bar']}>
          <p>{t('{{count, number}} selected', { count: bottles.length })}</p>
          {(Object.keys(BULK_CHANGES) as BulkName[]).map((name) => (
            <Button key={name} variant="default" onClick={() => setChosen(name)}>
              {BULK_CHANGES[name].button}
            </Button>
          ))}
          {bottles.length < selectable && (
            <Button variant="subtle" color="gray" onClick={selectAll}>
              {t('Select {{count, number}} shown', { count: selectable })}
            </Button>
          )}
          <Button variant="subtle" color="gray" onClick={clear}>
            {t('Clear selection')}
          </Button>
        </div>
      )}
      {chosen && (
        <BulkDialog
          name={chosen}
          bottles={bottles}
          onClose={(isDone) => {
            setChosen(undefined);
            if (isDone) clear();
          }}
        />
      )}
    </div>
  );
}
