import { Button } from '@mantine/core';
import { DownloadIcon } from '../../../ui/icons.js';
import { Panel } from '../../../ui/Panel.js';
import { useBottle } from '../queries.js';
import classes from './ManageTab.module.css';

/** Everything that is held about the bottle, for whoever asks for their data. */
export function Export() {
  const { bottle_id } = useBottle();
  return (
    <Panel title="Export">
      <p className={classes['text']}>One JSON file with everything that is held about this bottle.</p>
      <Button
        component="a"
        variant="default"
        href={`/v1/bottles/${bottle_id}/export`}
        download={`bottle-${bottle_id}.json`}
        leftSection={<DownloadIcon />}
      >
        Download
      </Button>
    </Panel>
  );
}
