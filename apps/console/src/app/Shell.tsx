import { ActionIcon } from '@mantine/core';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useMay } from '../api/session.js';
import { useStore } from '../api/store.js';
import { useAttention, useFleet } from '../features/fleet/queries.js';
import { Brand } from '../ui/Brand.js';
import { MenuIcon, RegisterIcon } from '../ui/icons.js';
import { pageTitle } from '../ui/PageHead.js';
import { notifyDesktop } from './desktop-notifications.js';
import { FindBox } from './FindBox.js';
import { KeyHelp } from './KeyHelp.js';
import { type KeyMap, moveRow, useKeys } from './keys.js';
import { LiveStatus, StaleBanner } from './LiveStatus.js';
import { Navigation } from './Navigation.js';
import { live } from './services.js';
import classes from './Shell.module.css';
import { UserMenu } from './UserMenu.js';
import { t } from '../i18n/i18n.js';

/** The frame of every page: navigation, search and status. */
export function Shell() {
  const [help, setHelp] = useState(false);
  const [menu, setMenu] = useState(false);
  const mayRegister = useMay('support');
  const find = useRef<HTMLInputElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => live.start(), []);
  useAttentionElsewhere();
  useEffect(() => setMenu(false), [path]);
  useShellKeys(
    () => find.current?.focus(),
    () => setHelp(true),
  );
  return (
    <div className={classes['shell']}>
      <a href="#page" className={classes['skip']}>
        {t('Skip to content')}
      </a>
      <section aria-label={t('Sidebar')} className={classes['rail']} data-open={menu || undefined}>
        <div className={classes['top']}>
          <Link to="/" className={classes['brand']}>
            <Brand />
          </Link>
          {mayRegister && (
            <ActionIcon
              className={classes['register']}
              size="lg"
              component={Link}
              to="/register"
              aria-label={t('Register a bottle')}
            >
              <RegisterIcon />
            </ActionIcon>
          )}
          <ActionIcon
            className={classes['burger']}
            size="lg"
            aria-label={t('Menu')}
            aria-expanded={menu}
            aria-controls="navigation"
            onClick={() => setMenu(!menu)}
          >
            <MenuIcon />
          </ActionIcon>
        </div>
        <FindBox inputRef={find} onHelp={() => setHelp(true)} />
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

/** What needs attention, in the browser's tab and on the desktop. */
function useAttentionElsewhere(): void {
  const navigate = useNavigate();
  const title = useStore(pageTitle);
  const count = useAttention();
  const { data } = useFleet();
  const before = useRef(data?.needs_attention);
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ''}${title} · Pillwatch`;
  }, [title, count]);
  useEffect(() => {
    const [was, is] = [before.current, data?.needs_attention];
    if (was && is) notifyDesktop(was, is, () => void navigate({ to: '/alerts' }));
    before.current = is;
  }, [data, navigate]);
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
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isMeant = (event.metaKey || event.ctrlKey) && !event.altKey && event.key.toLowerCase() === 'k';
      if (!isMeant || document.querySelector('[role="dialog"]')) return;
      event.preventDefault();
      actions.current.find();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
