import { Button, Modal, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { post, put } from '../../api/request.js';
import { session } from '../../api/session.js';
import { CopyText } from '../../ui/CopyText.js';
import { Form, FormError, useForm } from '../../ui/Form.js';
import { QrCode } from '../../ui/TokenOnce.js';
import classes from './SecondFactor.module.css';
import { t } from '../../i18n/i18n.js';

interface SetupProps {
  /** There is a second factor already. */
  replaces: boolean;
  onDone: () => void;
}

interface NewSecret {
  secret: string;
  uri: string;
}

/** Sets up an authenticator app for the signed-in person: password, QR code, recovery codes. */
export function SecondFactorSetup({ replaces, onDone }: SetupProps) {
  const [begun, setBegun] = useState<NewSecret>();
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>();
  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} onDone={onDone} />;
  if (begun) return <ConfirmForm {...begun} onConfirmed={setRecoveryCodes} />;
  return <BeginForm replaces={replaces} onBegun={setBegun} />;
}

export function SecondFactorDialog({ replaces, onClose }: { replaces: boolean; onClose: () => void }) {
  const done = (): void => {
    void session.load();
    onClose();
  };
  return (
    <Modal
      opened
      onClose={done}
      title={replaces ? t('Replace your second factor') : t('Set up a second factor')}
    >
      <SecondFactorSetup replaces={replaces} onDone={done} />
    </Modal>
  );
}

function BeginForm({ replaces, onBegun }: { replaces: boolean; onBegun: (secret: NewSecret) => void }) {
  const { saving, text } = useForm({
    initial: { password: '', code: '' },
    save: ({ password, code }) =>
      post<NewSecret>('/v1/session/second-factor', { password, ...(replaces && { code }) }),
    onSaved: onBegun,
  });
  return (
    <Form onSubmit={() => saving.mutate()}>
      <PasswordInput
        label={t('Password')}
        autoComplete="current-password"
        required
        {...text('password')}
        data-autofocus
      />
      {replaces && (
        <TextInput
          label={t('Code')}
          description={t('From the app that you replace, or a recovery code')}
          autoComplete="one-time-code"
          required
          {...text('code')}
        />
      )}
      <FormError error={saving.error} />
      <Button type="submit" loading={saving.isPending}>
        {t('Continue')}
      </Button>
    </Form>
  );
}

function ConfirmForm({ secret, uri, onConfirmed }: NewSecret & { onConfirmed: (codes: string[]) => void }) {
  const { saving, text } = useForm({
    initial: { code: '' },
    save: (values) => put<{ recovery_codes: string[] }>('/v1/session/second-factor', values),
    onSaved: ({ recovery_codes }) => onConfirmed(recovery_codes),
  });
  return (
    <Form onSubmit={() => saving.mutate()}>
      <p>{t('Scan the code with your authenticator app, or type the key into it.')}</p>
      <QrCode content={uri} name={t('Key')} />
      <CopyText text={secret} label={t('Copy key')} />
      <TextInput
        label={t('Code')}
        description={t('Six digits that the app shows now')}
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        {...text('code')}
        data-autofocus
      />
      <FormError error={saving.error} />
      <Button type="submit" loading={saving.isPending}>
        {t('Confirm')}
      </Button>
    </Form>
  );
}

function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <>
      <p>
        {t(
          'If you lose the app, each recovery code signs you in once. They are shown only now; store them elsewhere.',
        )}
      </p>
      <ul className={classes['codes']} aria-label={t('Recovery codes')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Button onClick={onDone} fullWidth>
        {t('I have stored the codes')}
      </Button>
    </>
  );
}
