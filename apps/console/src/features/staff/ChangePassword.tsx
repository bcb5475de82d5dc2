import { PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldError } from '../../api/http.js';
import { post } from '../../api/request.js';
import { session } from '../../api/session.js';
import { FormDialog } from '../../ui/Form.js';
import { notify } from '../../ui/notify.js';

/** Changes the password of the signed-in person. */
export function ChangePassword({ onClose }: { onClose: () => void }) {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: () => post('/v1/session/password', { current, next }),
    onSuccess: async () => {
      await session.load();
      notify('Password changed.');
      onClose();
    },
  });
  return (
    <FormDialog
      title="Change password"
      action="Change password"
      busy={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        required
        value={current}
        error={fieldError(change.error, 'current')}
        onChange={(event) => setCurrent(event.currentTarget.value)}
        data-autofocus
      />
      <PasswordInput
        label="New password"
        description="At least 12 characters"
        autoComplete="new-password"
        minLength={12}
        required
        value={next}
        error={fieldError(change.error, 'next')}
        onChange={(event) => setNext(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
