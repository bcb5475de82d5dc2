import { Modal, Switch } from '@mantine/core';
import classes from './KeyHelp.module.css';
import { useSingleKeys } from './keys.js';

const KEYS: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [['/'], 'Find a bottle'],
  [['j'], 'Next item'],
  [['k'], 'Previous item'],
  [['Enter'], 'Open item'],
  [['x'], 'Select item'],
  [['a'], 'Acknowledge the selected alerts, or the open one'],
  [['g', 'f'], 'Go to Fleet'],
  [['g', 'a'], 'Go to Alerts'],
  [['g', 'b'], 'Go to Bottles'],
  [['?'], 'Show this help'],
];

/** The keyboard shortcuts, and a switch to turn them off. */
export function KeyHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [on, setOn] = useSingleKeys();
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts">
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
        label="Single-key shortcuts"
        description="Turn off if you use dictation or other software that types for you."
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
