import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/problem.js';
import { session } from '../../api/session.js';
import { duration } from '../../time/format.js';
import { explain } from '../../ui/States.js';
import classes from './SignIn.module.css';

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
