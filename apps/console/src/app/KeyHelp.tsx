import { Modal, Switch } from '@mantine/core';
import classes from './KeyHelp.module.css';
import { useSingleKeys } from './keys.js';
import { t } from '../i18n/i18n.js';

const KEYS: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [['/'], t('Find a person, bottle, alert or action; also ⌘K or Ctrl K')],
  [['j'], t('Next item')],
  [['k'], t('Previous item')],
  [['Enter'], t('Open item')],
  [['x'], t('Select item')],
  [['⇧ J', '⇧ K'], t('Extend the selection')],
  [['⌘ A'], t('Select all alerts of the list; Ctrl A')],
  [['Esc'], t('Clear the selection')],
  [['a'], t('Acknowledge the selected alerts, or the open one')],
  [['s'], t('Snooze them')],
  [['e'], t('Close them')],
  [['r'], t('Record a caller’s statement about today’s most urgent dose')],
  [['z'], t('Undo the last action on alerts, for 10 seconds')],
  [['g', 'f'], t('Go to Fleet')],
  [['g', 'a'], t('Go to Alerts')],
  [['g', 'b'], t('Go to Bottles')],
  [['?'], t('Show this help')],
];

/** The keyboard shortcuts, and a switch to turn them off. */
export function KeyHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [on, setOn] = useSingleKeys();
  return (
    <Modal opened={opened} onClose={onClose} title={t('Keyboard shortcuts')}>
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
        label={t('Single-key shortcuts')}
        description={t('Turn off if you use dictation or other software that types for you.')}
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
