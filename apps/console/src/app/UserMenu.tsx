import { Menu, type MantineColorScheme, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useState } from 'react';
import { session, useSession, useStaff } from '../api/session.js';
import { sendHeld } from '../features/alerts/held.js';
import { Browsers } from '../features/staff/Browsers.js';
import { ChangePassword } from '../features/staff/ChangePassword.js';
import { SecondFactorDialog } from '../features/staff/SecondFactor.js';
import { Sessions } from '../features/staff/Sessions.js';
import { notifyError } from '../ui/notify.js';
import { useDesktopNotifications } from './desktop-notifications.js';
import classes from './UserMenu.module.css';
import { t } from '../i18n/i18n.js';

const SCHEMES = [
  { value: 'auto', label: t('System') },
  { value: 'light', label: t('Light') },
  { value: 'dark', label: t('Dark') },
];

/** The account menu of the signed-in person. */
export function UserMenu({ onHelp }: { onHelp: () => void }) {
  const { name, role } = useStaff();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const state = useSession();
  const secondFactor = state.kind === 'signed-in' ? state.second_factor : 'off';
  const [changingPassword, setChangingPassword] = useState(false);
  const [showingSessions, setShowingSessions] = useState(false);
  const [showingBrowsers, setShowingBrowsers] = useState(false);
  const [settingUp, setSettingUp] = useState(false);
  const desktop = useDesktopNotifications();
  const signOut = (): void => {
    void sendHeld()
      .then(session.signOut)
      .catch((error: unknown) => notifyError(error as Error));
  };
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
            <span className="visually-hidden">{t(', account menu')}</span>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {/* a menu holds items and groups of them, no other control */}
          <div role="group" aria-label={t('Appearance')}>
            <Menu.RadioGroup
              value={colorScheme}
              onChange={(value) => setColorScheme(value as MantineColorScheme)}
            >
              {SCHEMES.map(({ value, label }) => (
                <Menu.RadioItem key={value} value={value} closeMenuOnClick={false}>
                  {label}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </div>
          <Menu.Divider />
          {desktop && (
            <Menu.Item onClick={() => void desktop.toggle()}>
              {desktop.on ? t('Desktop notifications: on') : t('Desktop notifications: off')}
            </Menu.Item>
          )}
          <Menu.Item onClick={() => setShowingBrowsers(true)}>{t('Messages in the browser')}</Menu.Item>
          <Menu.Item onClick={onHelp}>{t('Keyboard shortcuts')}</Menu.Item>
          <Menu.Item onClick={() => setChangingPassword(true)}>{t('Change password')}</Menu.Item>
          <Menu.Item onClick={() => setShowingSessions(true)}>{t('Sessions')}</Menu.Item>
          {secondFactor !== 'off' && (
            <Menu.Item onClick={() => setSettingUp(true)}>{t('Second factor')}</Menu.Item>
          )}
          <Menu.Item onClick={signOut}>{t('Sign out')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {changingPassword && <ChangePassword onClose={() => setChangingPassword(false)} />}
      {showingBrowsers && <Browsers onClose={() => setShowingBrowsers(false)} />}
      {showingSessions && <Sessions onClose={() => setShowingSessions(false)} />}
      {settingUp && (
        <SecondFactorDialog replaces={secondFactor === 'set_up'} onClose={() => setSettingUp(false)} />
      )}
    </>
  );
}

function initials(name: string): string {
  const names = name.trim().split(/\s+/);
  return [names[0], names.length > 1 ? names.at(-1) : undefined]
    .map((part) => part?.[0] ?? '')
    .join('')
    .toUpperCase();
}
