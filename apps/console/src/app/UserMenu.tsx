import {
  Menu,
  SegmentedControl,
  type MantineColorScheme,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core';
import { useState } from 'react';
import { session, useStaff } from '../api/session.js';
import { ChangePassword } from '../features/staff/ChangePassword.js';
import { explain } from '../ui/States.js';
import { notify } from '../ui/notify.js';
import classes from './UserMenu.module.css';

const SCHEMES = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** Who is signed in, and what concerns only them. */
export function UserMenu({ onHelp }: { onHelp: () => void }) {
  const { name, role } = useStaff();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [password, setPassword] = useState(false);
  const signOut = (): void =>
    void session.signOut().catch((error: unknown) => notify(explain(error as Error).join('. '), 'failed'));
  return (
    <>
      <Menu position="top-start" width={216}>
        <Menu.Target>
          <UnstyledButton className={classes['user']}>
            <span className={classes['avatar']} aria-hidden>
              {initials(name)}
            </span>
            <span className={classes['who']}>
              <span className={classes['name']}>{name}</span>
              <span className={classes['role']}>{role}</span>
            </span>
            <span className="visually-hidden">: your settings</span>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <div className={classes['scheme']}>
            <SegmentedControl
              size="xs"
              fullWidth
              aria-label="Appearance"
              data={SCHEMES}
              value={colorScheme}
              onChange={(value) => setColorScheme(value as MantineColorScheme)}
            />
          </div>
          <Menu.Item onClick={onHelp}>Keyboard</Menu.Item>
          <Menu.Item onClick={() => setPassword(true)}>Change password</Menu.Item>
          <Menu.Item onClick={signOut}>Sign out</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ChangePassword opened={password} onClose={() => setPassword(false)} />
    </>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => word?.[0] ?? '')
    .join('')
    .toUpperCase();
}
