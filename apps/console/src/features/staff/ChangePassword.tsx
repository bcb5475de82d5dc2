import { Button, Modal, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldError } from '../../api/http.js';
import { post } from '../../api/request.js';
import { session } from '../../api/session.js';
import { DialogButtons } from '../../ui/DialogButtons.js';
import { notify } from '../../ui/notify.js';
import { explain } from '../../ui/States.js';
import classes from './Staff.module.css';

/** One's own password. */
export function ChangePassword({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Change password"
      data-dialog
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Form onClose={onClose} />
    </Modal>
  );
}

function Form({ onClose }: { onClose: () => void }) {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: () => post('/v1/session/password', { current, next }),
    onSuccess: async () => {
      await session.load();
      notify('Your password has been changed.');
      onClose();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form onSubmit={submit} className={classes['form']}>
      <PasswordInput
        label="Your password now"
        autoComplete="current-password"
        required
        withAsterisk={false}
        value={current}
        error={fieldError(change.error, 'current')}
        onChange={(event) => setCurrent(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
      />
      <PasswordInput
        label="The new one"
        description="At least 12 characters"
        autoComplete="new-password"
        minLength={12}
        required
        withAsterisk={false}
        value={next}
        error={fieldError(change.error, 'next')}
        onChange={(event) => setNext(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the new password' }}
      />
      {change.error && (
        <p role="alert" className={classes['error']}>
          {explain(change.error).join('. ')}
        </p>
      )}
      <DialogButtons onCancel={onClose}>
        <Button type="submit" loading={change.isPending}>
          Change password
        </Button>
      </DialogButtons>
    </form>
  );
}
