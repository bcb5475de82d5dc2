import { ActionIcon } from '@mantine/core';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Brand } from '../ui/Brand.js';
import { MenuIcon } from '../ui/icons.js';
import { FindBox } from './FindBox.js';
import { KeyHelp } from './KeyHelp.js';
import { type KeyMap, moveRow, useKeys } from './keys.js';
import { LiveStatus, StaleBanner } from './LiveStatus.js';
import { Navigation } from './Navigation.js';
import { live } from './services.js';
import classes from './Shell.module.css';
import { UserMenu } from './UserMenu.js';

/** The frame of every page: navigation, search and status. */
export function Shell() {
  const [help, setHelp] = useState(false);
  const [menu, setMenu] = useState(false);
  const find = useRef<HTMLInputElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => live.start(), []);
  useEffect(() => setMenu(false), [path]);
  useShellKeys(
    () => find.current?.focus(),
    () => setHelp(true),
  );
  return (
    <div className={classes['shell']}>
      <a href="#page" className={classes['skip']}>
        Skip to content
      </a>
      <section aria-label="Sidebar" className={classes['rail']} data-open={menu || undefined}>
        <div className={classes['top']}>
          <Link to="/" className={classes['brand']}>
            <Brand />
          </Link>
          <ActionIcon
            className={classes['burger']}
            size="lg"
            aria-label="Menu"
            aria-expanded={menu}
            aria-controls="navigation"
            onClick={() => setMenu(!menu)}
          >
            <MenuIcon />
          </ActionIcon>
        </div>
        <FindBox inputRef={find} />
        <div className={classes['menu']} id="navigation">
          <Navigation />
          <div className={classes['foot']}>
            <LiveStatus />
            <UserMenu onHelp={() => setHelp(true)} />
          </div>
        </div>
      </section>
      <main id="page" className={classes['main']}>
        <StaleBanner />
        <Outlet />
      </main>
      <KeyHelp opened={help} onClose={() => setHelp(false)} />
    </div>
  );
}

function useShellKeys(find: () => void, help: () => void): void {
  const navigate = useNavigate();
  const actions = useRef({ find, help });
  actions.current = { find, help };
  const keys = useMemo<KeyMap>(
    () => ({
      '/': () => actions.current.find(),
      '?': () => actions.current.help(),
      'g f': () => void navigate({ to: '/' }),
      'g a': () => void navigate({ to: '/alerts' }),
      'g b': () => void navigate({ to: '/bottles' }),
      j: () => moveRow(1),
      k: () => moveRow(-1),
    }),
    [navigate],
  );
  useKeys(keys);
}
