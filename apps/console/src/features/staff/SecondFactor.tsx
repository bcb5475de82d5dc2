import { Button, Modal, PasswordInput, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { post, put } from '../../api/request.js';
import { session } from '../../api/session.js';
import { CopyText, copyText } from '../../ui/CopyText.js';
import { Form, FormError, type Loss, useCloseGuard, useForm } from '../../ui/Form.js';
import { QrCode } from '../../ui/TokenOnce.js';
import { useAskBeforeUnload } from '../../ui/Unsaved.js';
import classes from './SecondFactor.module.css';
import { t } from '../../i18n/i18n.js';

interface SetupProps {
  /** There is a second factor already. */
  replaces: boolean;
  onDone: () => void;
  onShown?: (what: Shown) => void;
}

/** What is shown only once. */
export type Shown = 'key' | 'codes';

interface NewSecret {
  secret: string;
  uri: string;
}

/** Sets up an authenticator app for the signed-in person: password, QR code, recovery codes. */
export function SecondFactorSetup({ replaces, onDone, onShown }: SetupProps) {
  const [begun, setBegun] = useState<NewSecret>();
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>();
  const shown = recoveryCodes ? 'codes' : begun && 'key';
  useAskBeforeUnload(shown !== undefined);
  useEffect(() => {
    if (shown) onShown?.(shown);
  }, [shown, onShown]);
  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} onDone={onDone} />;
  if (begun) return <ConfirmForm {...begun} onConfirmed={setRecoveryCodes} />;
  return <BeginForm replaces={replaces} onBegun={setBegun} />;
}

const lossOf = (text: string): Loss => ({
  title: t('Close without finishing?'),
  text,
  stay: t('Stay'),
  leave: t('Close anyway'),
});

const LOSS: Record<Shown, Loss> = {
  key: lossOf(t('The second factor is not set up yet, and the key is shown only now.')),
  codes: lossOf(t('The recovery codes are shown only now. Without them, losing the app locks you out.')),
};

export function SecondFactorDialog({ replaces, onClose }: { replaces: boolean; onClose: () => void }) {
  const done = (): void => {
    void session.load();
    onClose();
  };
  const [shown, setShown] = useState<Shown>();
  const guard = useCloseGuard(done, true, shown && LOSS[shown]);
  return (
    <Modal
      opened
      {...guard.modal}
      closeOnClickOutside={false}
      title={replaces ? t('Replace your second factor') : t('Set up a second factor')}
    >
      {guard.question}
      <div onInput={guard.onInput}>
        <SecondFactorSetup replaces={replaces} onDone={done} onShown={setShown} />
      </div>
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
  const text = codes.join('\n');
  return (
    <div className={classes['sheet']}>
      <p className={classes['printed']}>{t('Recovery codes of Pillwatch, each for one sign-in')}</p>
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
      <div className={classes['ways']}>
        <Button variant="default" onClick={() => void copyText(text)}>
          {t('Copy codes')}
        </Button>
        <Button variant="default" onClick={() => window.print()}>
          {t('Print')}
        </Button>
        <Button
          variant="default"
          component="a"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download="pillwatch-recovery-codes.txt"
        >
          {t('Save as file')}
        </Button>
      </div>
      <Button onClick={onDone} fullWidth>
        {t('I have stored the codes')}
      </Button>
    </div>
  );
}
