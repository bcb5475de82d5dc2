import { Button, Modal, PasswordInput, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ApiError, isProblem } from '../../api/http.js';
import { session } from '../../api/session.js';
import type { SignedInStaff } from '../../api/schema.js';
import { live, queries } from '../../app/services.js';
import { duration } from '../../time/format.js';
import { Brand } from '../../ui/Brand.js';
import { Form, useForm } from '../../ui/Form.js';
import classes from './SignIn.module.css';
import { errorText } from '../../errors/error-text.js';
import { t } from '../../i18n/i18n.js';

/** Shown instead of any page while nobody is signed in. */
export function SignIn() {
  useEffect(() => {
    document.title = t('Sign in · Pillwatch');
  }, []);
  return (
    <main className={classes['page']}>
      <div className={classes['card']}>
        <Brand />
        <h1 className={classes['title']}>{t('Sign in')}</h1>
        <CredentialsForm />
        <p className={classes['help']}>
          {t('No account, or forgot your password? Ask an admin of this service.')}
        </p>
      </div>
    </main>
  );
}

/** Shown when the session ends, over the page: whatever was typed there stays unless nobody was there. */
export function SignInAgain({ staff, isIdle }: { staff: SignedInStaff; isIdle: boolean }) {
  useEffect(
    () => () => {
      live.retryNow();
      void queries.invalidateQueries();
    },
    [],
  );
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t('Your session has ended')}
    >
      <p className={classes['lead']}>
        {isIdle
          ? t('Nobody has used this page for a while. Sign in again to continue.')
          : t('Sign in again to continue. Everything you typed is still there.')}
      </p>
      <CredentialsForm email={staff.email} />
      <Button variant="subtle" color="gray" fullWidth mt={8} onClick={() => void session.signOut()}>
        {t('Not {{name}}? Sign out', { name: staff.name })}
      </Button>
    </Modal>
  );
}

/** Shown before something that a stolen session must not do. */
export function Confirm({ staff }: { staff: SignedInStaff }) {
  return (
    <Modal opened onClose={session.cancelConfirming} title={t('Confirm that it is you')} zIndex={400}>
      <p className={classes['lead']}>
        {t('This needs your password. You are not asked again for five minutes.')}
      </p>
      <CredentialsForm email={staff.email} action={t('Confirm')} />
    </Modal>
  );
}

interface CredentialsProps {
  /** The only account that may sign in here; any if omitted. */
  email?: string;
  action?: string;
}

function CredentialsForm({ email: fixed, action = t('Sign in') }: CredentialsProps) {
  const [needsCode, setNeedsCode] = useState(false);
  const { saving: signIn, text } = useForm({
    initial: { email: fixed ?? '', password: '', code: '' },
    save: ({ email, password, code }) =>
      session.signIn(email.trim(), password, needsCode ? code : undefined).catch((error: unknown) => {
        if (!isProblem(error, 'second_factor_needed')) throw error;
        setNeedsCode(true);
      }),
  });
  return (
    <Form onSubmit={() => signIn.mutate()} className={classes['form']}>
      <TextInput
        label={t('E-mail')}
        type="email"
        name="email"
        autoComplete="username"
        required
        {...text('email')}
        readOnly={fixed !== undefined}
        {...(fixed === undefined ? { autoFocus: true } : {})}
      />
      <PasswordInput
        label={t('Password')}
        name="password"
        autoComplete="current-password"
        required
        {...text('password')}
        {...(fixed === undefined ? {} : { 'data-autofocus': true })}
      />
      {needsCode && (
        <TextInput
          label={t('Code')}
          description={t('From your authenticator app, or a recovery code')}
          autoComplete="one-time-code"
          required
          autoFocus
          {...text('code')}
        />
      )}
      {signIn.error && !isProblem(signIn.error, 'wrong_code') && (
        <p role="alert" className={classes['error']}>
          {signInErrorText(signIn.error)}
        </p>
      )}
      <Button type="submit" size="sm" loading={signIn.isPending} fullWidth>
        {action}
      </Button>
    </Form>
  );
}

function signInErrorText(error: Error): string {
  if (error instanceof ApiError && error.status === 429) {
    const wait = error.retryAfterSeconds;
    return wait === undefined
      ? t('Too many failed attempts. Try again later.')
      : t('Too many failed attempts. Try again in {{wait}}.', { wait: duration(wait * 1_000) });
  }
  if (isProblem(error, 'password_expired'))
    return t('Your password was not changed in time. Ask an admin for another.');
  if (error instanceof ApiError && error.status === 401) return t('Wrong e-mail or password.');
  return errorText(error);
}
