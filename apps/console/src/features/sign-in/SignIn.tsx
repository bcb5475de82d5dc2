import { useEffect } from 'react';
import { Brand } from '../../ui/Brand.js';
import { CredentialsForm } from './CredentialsForm.js';
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
