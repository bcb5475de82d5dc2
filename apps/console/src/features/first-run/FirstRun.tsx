import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { get, post } from '../../api/request.js';
import type { FirstRun as Steps } from '../../api/schema.js';
import { useMay } from '../../api/session.js';
import { queries } from '../../app/services.js';
import { Mark } from '../../ui/Mark.js';
import { notSetUpTexts } from '../bottle/contacts/not-set-up.js';
import { notifyError } from '../../ui/notify.js';
import { Panel } from '../../ui/Panel.js';
import classes from './FirstRun.module.css';
import { t } from '../../i18n/i18n.js';

const KEY = ['first-run'];
const REFRESH_MS = 30_000;

type Step = Steps['steps'][number]['step'];

/** What each step is, and what to do about it. */
const STEPS: Record<Step, { title: string; how: ReactNode }> = {
  password: {
    title: t('Every admin has a password of their own'),
    how: t('“Change password” in the account menu.'),
  },
  second_factor: {
    title: t('Every admin has a second factor'),
    how: t('“Second factor” in the account menu. Keep the recovery codes elsewhere.'),
  },
  public_url: {
    title: t('The public address is set'),
    how: t('Set PUBLIC_URL in the environment of the services: links in messages need it.'),
  },
  mail: {
    title: t('E-mail reaches people'),
    how: t('Set SMTP_URL and MAIL_FROM in the environment of the notifier, then send a test message.'),
  },
  bottle: { title: t('There is a bottle'), how: <Link to="/register">{t('Register a bottle')}</Link> },
  contact: {
    title: t('There is a contact'),
    how: t('On the page of a person or a bottle: who is notified, and how.'),
  },
  test_message: {
    title: t('A test message has arrived'),
    how: t('“Test message” below a contact, or wait for a first notification.'),
  },
  second_admin: {
    title: t('There is a second admin'),
    how: <Link to="/staff">{t('Create an account')}</Link>,
  },
  backup: {
    title: t('Backups are made, and one was restored'),
    how: t('See “Backup” in the operations guide. Confirm it here: the service cannot see it.'),
  },
};

const DONE = { label: t('Done'), tone: 'ok', shape: 'check' } as const;
const OPEN = { label: t('To do'), tone: 'unknown', shape: 'ring' } as const;

/** What a new service lacks; asked for admins only. */
export function useFirstRun() {
  const isAdmin = useMay('admin');
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => get<Steps>('/v1/first-run', { signal }),
    refetchInterval: REFRESH_MS,
    enabled: isAdmin,
  });
}

/** A checklist for admins until all of it is done; nothing for others. */
export function FirstRun() {
  const { data } = useFirstRun();
  const left = data?.steps.filter(({ done }) => !done) ?? [];
  if (!data || left.length === 0) return null;
  return (
    <Panel
      title={t('Before patients depend on it')}
      aside={t('{{done}} of {{all}} done', { done: data.steps.length - left.length, all: data.steps.length })}
      className={classes['panel']}
    >
      <ol className={classes['steps']}>
        {data.steps.map(({ step, done }) => (
          <li key={step} data-done={done || undefined}>
            <Mark of={done ? DONE : OPEN} size={18} label={done ? DONE.label : OPEN.label} />
            <div>
              <p>{STEPS[step].title}</p>
              {!done && <p className={classes['how']}>{STEPS[step].how}</p>}
              {!done && step === 'backup' && <ConfirmBackup />}
            </div>
          </li>
        ))}
      </ol>
      {notSetUpTexts(data.channels, true).map((text) => (
        <p key={text} className={classes['how']}>
          {text}
        </p>
      ))}
    </Panel>
  );
}

function ConfirmBackup() {
  const confirm = useMutation({
    mutationFn: () => post('/v1/first-run/backup'),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
    onError: notifyError,
  });
  return (
    <Button variant="default" size="xs" loading={confirm.isPending} onClick={() => confirm.mutate()}>
      {t('A backup was restored')}
    </Button>
  );
}
