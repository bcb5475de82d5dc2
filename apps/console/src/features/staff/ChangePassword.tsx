import { PasswordInput } from '@mantine/core';
import { post } from '../../api/request.js';
import { session } from '../../api/session.js';
import { FormDialog, useForm } from '../../ui/Form.js';
import { notify } from '../../ui/notify.js';
import { t } from '../../i18n/i18n.js';

/** A form in which the signed-in person changes their password. */
export function usePasswordForm(onSaved: () => void) {
  const { saving, text } = useForm({
    initial: { current: '', next: '' },
    save: (values) => post('/v1/session/password', values),
    onSaved: async () => {
      await session.load();
      notify(t('Password changed.'));
      onSaved();
    },
  });
  const fields = (
    <>
      <PasswordInput
        label={t('Current password')}
        autoComplete="current-password"
        required
        {...text('current')}
        data-autofocus
      />
      <PasswordInput
        label={t('New password')}
        description={t('At least 12 characters')}
        autoComplete="new-password"
        minLength={12}
        required
        {...text('next')}
      />
    </>
  );
  return { saving, fields };
}

/** Changes the password of the signed-in person. */
export function ChangePassword({ onClose }: { onClose: () => void }) {
  const { saving, fields } = usePasswordForm(onClose);
  return (
    <FormDialog title={t('Change password')} action={t('Change password')} saving={saving} onClose={onClose}>
      {fields}
    </FormDialog>
  );
}
