import { PasswordInput } from '@mantine/core';
import { post } from '../../api/request.js';
import { session } from '../../api/session.js';
import { FormDialog, useForm } from '../../ui/Form.js';
import { notify } from '../../ui/notify.js';

/** A form in which the signed-in person changes their password. */
export function usePasswordForm(onSaved: () => void) {
  const { saving, text } = useForm({
    initial: { current: '', next: '' },
    save: (values) => post('/v1/session/password', values),
    onSaved: async () => {
      await session.load();
      notify('Password changed.');
      onSaved();
    },
  });
  const fields = (
    <>
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        required
        {...text('current')}
        data-autofocus
      />
      <PasswordInput
        label="New password"
        description="At least 12 characters"
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
    <FormDialog title="Change password" action="Change password" saving={saving} onClose={onClose}>
      {fields}
    </FormDialog>
  );
}
