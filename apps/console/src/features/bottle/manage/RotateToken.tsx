import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { post } from '../../../api/request.js';
import { Panel } from '../../../ui/Panel.js';
import { explain } from '../../../ui/States.js';
import { TokenOnce } from '../../../ui/TokenOnce.js';
import { useBottle } from '../queries.js';
import classes from './ManageTab.module.css';

/** A new token for the device, when the old one is lost or known to others. */
export function RotateToken() {
  const { bottle_id } = useBottle();
  const [sure, setSure] = useState(false);
  const rotate = useMutation({
    mutationFn: () => post<{ token: string }>(`/v1/bottles/${bottle_id}/token`),
    onSettled: () => setSure(false),
  });
  return (
    <Panel title="The device’s token">
      {rotate.data ? (
        <TokenOnce token={rotate.data.token} name="New token of the device" />
      ) : (
        <>
          <p className={classes['text']}>
            The device shows it with every report. A new one ends the old one at once: the bottle cannot
            report until it has the new one.
          </p>
          {rotate.error && (
            <p role="alert" className={classes['error']}>
              {explain(rotate.error).join('. ')}
            </p>
          )}
          {sure ? (
            <>
              <Button color="red" loading={rotate.isPending} onClick={() => rotate.mutate()}>
                Yes, end the old token
              </Button>{' '}
              <Button variant="default" onClick={() => setSure(false)}>
                Cancel
              </Button>
            </>
          ) : (
            <Button variant="default" onClick={() => setSure(true)}>
              New token
            </Button>
          )}
        </>
      )}
    </Panel>
  );
}
