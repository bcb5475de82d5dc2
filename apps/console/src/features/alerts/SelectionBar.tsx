import { Button } from '@mantine/core';
import { useState } from 'react';
import type { AlertVerb } from './actions.js';
import { ActDialog } from './ActDialog.js';
import classes from './SelectionBar.module.css';

/** What can be done with the alerts that are selected. */
export function SelectionBar({ ids, onDone }: { ids: readonly string[]; onDone: () => void }) {
  const [verb, setVerb] = useState<AlertVerb>();
  return (
    <div role="status" className={classes['status']}>
      {ids.length > 0 && (
        <div className={classes['bar']}>
          <p>{ids.length === 1 ? '1 selected' : `${ids.length} selected`}</p>
          <Button onClick={() => setVerb('acknowledge')}>Acknowledge</Button>
          <Button variant="default" onClick={() => setVerb('snooze')}>
            Snooze
          </Button>
          <Button variant="default" onClick={() => setVerb('resolve')}>
            Resolve
          </Button>
          <Button variant="subtle" color="gray" onClick={onDone}>
            Select none
          </Button>
        </div>
      )}
      {verb && <ActDialog verb={verb} ids={ids} onClose={() => setVerb(undefined)} onDone={onDone} />}
    </div>
  );
}
