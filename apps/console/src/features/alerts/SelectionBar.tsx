import { Button } from '@mantine/core';
import { useState } from 'react';
import type { AlertVerb, Target } from './actions.js';
import { ActDialog } from './ActDialog.js';
import classes from './SelectionBar.module.css';

/** What can be done with the alerts that are selected. */
export function SelectionBar({ targets, onDone }: { targets: readonly Target[]; onDone: () => void }) {
  const [verb, setVerb] = useState<AlertVerb>();
  return (
    <div role="status" className={classes['status']}>
      {targets.length > 0 && (
        <div className={classes['bar']}>
          <p>{targets.length === 1 ? '1 selected' : `${targets.length} selected`}</p>
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
      {verb && <ActDialog verb={verb} targets={targets} onClose={() => setVerb(undefined)} onDone={onDone} />}
    </div>
  );
}
