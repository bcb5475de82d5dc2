import { Modal, Switch } from '@mantine/core';
import classes from './KeyHelp.module.css';
import { useSingleKeys } from './keys.js';

const KEYS: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [['/'], 'Find a bottle'],
  [['j'], 'Next in the list'],
  [['k'], 'Previous in the list'],
  [['Enter'], 'Open it'],
  [['x'], 'Select it'],
  [['a'], 'Acknowledge the alert, or all that are selected'],
  [['g', 'f'], 'Go to the fleet'],
  [['g', 'a'], 'Go to the alerts'],
  [['g', 'b'], 'Go to the bottles'],
  [['?'], 'This help'],
];

/** The keys, and a way to switch them off. */
export function KeyHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [on, setOn] = useSingleKeys();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Keyboard"
      data-dialog
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <dl className={classes['keys']}>
        {KEYS.map(([keys, meaning]) => (
          <div key={meaning} className={classes['row']}>
            <dt>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <Switch
        label="Single keys are on"
        description="Switch them off if you dictate or use another tool that types."
        checked={on}
        onChange={(event) => setOn(event.currentTarget.checked)}
      />
    </Modal>
  );
}

/** A key of the keyboard. */
export function Kbd({ children }: { children: string }) {
  return <kbd className={classes['kbd']}>{children}</kbd>;
}
