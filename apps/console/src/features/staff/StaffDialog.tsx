import { Button, Modal, PasswordInput, Select, Switch, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldError } from '../../api/problem.js';
import { patch, post } from '../../api/request.js';
import type { Role, StaffMember } from '../../api/types/staff.js';
import { queries } from '../../app/services.js';
import { DialogButtons } from '../../ui/DialogButtons.js';
import { notify } from '../../ui/notify.js';
import { explain } from '../../ui/States.js';
import { ROLES } from './roles.js';
import classes from './Staff.module.css';

const DEFAULT_ROLE: Role = 'support';

interface StaffDialogProps {
  edited: StaffMember | 'new';
  onClose: () => void;
}

/** A new account, or a change to one. */
export function StaffDialog({ edited, onClose }: StaffDialogProps) {
  const member = edited === 'new' ? undefined : edited;
  const [fields, setFields] = useState({
    email: member?.email ?? '',
    name: member?.name ?? '',
    role: member?.role ?? DEFAULT_ROLE,
    disabled: member?.disabled ?? false,
    password: '',
  });
  const { email, name, role, disabled, password } = fields;
  const save = useMutation({
    mutationFn: () =>
      member
        ? patch(`/v1/staff/${member.id}`, { name, role, disabled, ...(password === '' ? {} : { password }) })
        : post('/v1/staff', { email: email.trim(), name, role, password }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['staff'] });
      notify(member ? 'The account has been changed.' : 'The account has been made.');
      onClose();
    },
  });
  const wrong = (field: string): string | undefined => fieldError(save.error, field);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={member ? member.name : 'New account'}
      data-dialog
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={submit} className={classes['form']}>
        {!member && (
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="off"
            required
            withAsterisk={false}
            value={email}
            error={wrong('email')}
            onChange={(event) => setFields({ ...fields, email: event.currentTarget.value })}
            data-autofocus
          />
        )}
        <TextInput
          label="Name"
          description="Stands in the history of what they do"
          autoComplete="off"
          required
          withAsterisk={false}
          value={name}
          error={wrong('name')}
          onChange={(event) => setFields({ ...fields, name: event.currentTarget.value })}
        />
        <Select
          label="Role"
          data={ROLES}
          value={role}
          error={wrong('role')}
          onChange={(value) => setFields({ ...fields, role: value ?? role })}
        />
        <PasswordInput
          label={member ? 'New password' : 'Password'}
          description={
            member ? 'Left empty: as it is' : 'At least 12 characters; they change it after signing in'
          }
          autoComplete="new-password"
          minLength={12}
          required={!member}
          withAsterisk={false}
          value={password}
          error={wrong('password')}
          onChange={(event) => setFields({ ...fields, password: event.currentTarget.value })}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
        />
        {member && (
          <Switch
            label="Closed: cannot sign in"
            checked={disabled}
            onChange={(event) => setFields({ ...fields, disabled: event.currentTarget.checked })}
          />
        )}
        {save.error && (
          <p role="alert" className={classes['error']}>
            {explain(save.error).join('. ')}
          </p>
        )}
        <DialogButtons onCancel={onClose}>
          <Button type="submit" loading={save.isPending}>
            {member ? 'Save' : 'Make the account'}
          </Button>
        </DialogButtons>
      </form>
    </Modal>
  );
}
