import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { session } from '../../api/session.js';
import type { Requirement } from '../../api/vocabulary.js';
import { Brand } from '../../ui/Brand.js';
import { Form, FormError } from '../../ui/Form.js';
import { usePasswordForm } from '../staff/ChangePassword.js';
import { SecondFactorSetup, type Shown } from '../staff/SecondFactor.js';
import classes from './SignIn.module.css';
import { t } from '../../i18n/i18n.js';

/** Shown instead of any page until the person has done what is required of their account. */
export function Setup({ first }: { first: Requirement }) {
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    document.title = t('Set up your account · Pillwatch');
  }, []);
  return (
    <main className={classes['page']}>
      <div className={classes['card']}>
        <Brand />
        {first === 'password_change' ? <NewPassword /> : <NewSecondFactor onShown={setShown} />}
        {/* the codes are shown only once: no way leads past them */}
        {shown !== 'codes' && (
          <Button variant="subtle" color="gray" fullWidth mt={8} onClick={() => void session.signOut()}>
            {t('Sign out')}
          </Button>
        )}
      </div>
    </main>
  );
}

function NewPassword() {
  const { saving, fields } = usePasswordForm(() => undefined);
  return (
    <>
      <h1 className={classes['title']}>{t('Choose a new password')}</h1>
      <p className={classes['lead']}>{t('Someone else has chosen your password.')}</p>
      <Form onSubmit={() => saving.mutate()} className={classes['form']}>
        {fields}
        <FormError error={saving.error} />
        <Button type="submit" loading={saving.isPending} fullWidth>
          {t('Change password')}
        </Button>
      </Form>
    </>
  );
}

function NewSecondFactor({ onShown }: { onShown: (what: Shown) => void }) {
  return (
    <>
      <h1 className={classes['title']}>{t('Set up a second factor')}</h1>
      <p className={classes['lead']}>{t('Your role requires an authenticator app.')}</p>
      <SecondFactorSetup replaces={false} onDone={() => void session.load()} onShown={onShown} />
    </>
  );
}
