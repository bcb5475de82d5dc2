import { Button, Modal, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { ApiError } from '../../api/http.js';
import { session } from '../../api/session.js';
import type { Staff } from '../../api/types.js';
import { live, queries } from '../../app/services.js';
import { duration } from '../../time/format.js';
import { Brand } from '../../ui/Brand.js';
import { explain } from '../../ui/States.js';
import classes from './SignIn.module.css';

/** Where whoever is not signed in arrives, whatever page they came for. */
export function SignIn() {
  useEffect(() => {
    document.title = 'Sign in · Pillwatch';
  }, []);
  return (
    <main className={classes['page']}>
      <div className={classes['card']}>
        <Brand />
        <h1 className={classes['title']}>Sign in</h1>
        <CredentialsForm />
        <p className={classes['help']}>
          No account yet, or a forgotten password? An admin of this service can help.
        </p>
      </div>
    </main>
  );
}

/** The session has ended while somebody was at work. Behind this dialog everything stays as it was typed. */
export function SignInAgain({ staff }: { staff: Staff }) {
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
      title="Your session has ended"
      data-dialog
    >
      <p className={classes['lead']}>Sign in again to go on. What you have typed is still there.</p>
      <CredentialsForm email={staff.email} />
      <Button variant="subtle" color="gray" fullWidth mt={8} onClick={() => void session.signOut()}>
        I am not {staff.name}
      </Button>
    </Modal>
  );
}

/** @param email given when only one person may sign in here: whoever was signed in before. */
export function CredentialsForm({ email: fixed }: { email?: string }) {
  const [email, setEmail] = useState(fixed ?? '');
  const [password, setPassword] = useState('');
  const signIn = useMutation({ mutationFn: () => session.signIn(email.trim(), password) });

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <form onSubmit={submit} className={classes['form']}>
      <TextInput
        label="E-mail"
        type="email"
        name="email"
        autoComplete="username"
        required
        withAsterisk={false}
        value={email}
        readOnly={fixed !== undefined}
        onChange={(event) => setEmail(event.currentTarget.value)}
        {...(fixed === undefined ? { autoFocus: true } : {})}
      />
      <PasswordInput
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
        {...(fixed === undefined ? {} : { 'data-autofocus': true })}
      />
      {signIn.error && (
        <p role="alert" className={classes['error']}>
          {refusal(signIn.error)}
        </p>
      )}
      <Button type="submit" size="sm" loading={signIn.isPending} fullWidth>
        Sign in
      </Button>
    </form>
  );
}

function refusal(error: Error): string {
  if (error instanceof ApiError && error.status === 429) {
    const wait = error.retryAfterSeconds;
    return `Too many wrong attempts. Try again ${wait === undefined ? 'later' : `in ${duration(wait * 1_000)}`}.`;
  }
  if (error instanceof ApiError && error.status === 401) return 'The e-mail or the password is wrong.';
  return explain(error).join('. ');
}
