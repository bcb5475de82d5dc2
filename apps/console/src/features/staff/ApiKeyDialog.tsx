import { Button, Modal, Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldError } from '../../api/problem.js';
import { post } from '../../api/request.js';
import type { ApiKey, Role } from '../../api/types/staff.js';
import { queries } from '../../app/services.js';
import { DialogButtons } from '../../ui/DialogButtons.js';
import { explain } from '../../ui/States.js';
import { ROLES } from './roles.js';
import classes from './Staff.module.css';

export type CreatedKey = ApiKey & { key: string };

interface ApiKeyDialogProps {
  onMade: (key: CreatedKey) => void;
  onClose: () => void;
}

/** A new key for a program. */
export function ApiKeyDialog({ onMade, onClose }: ApiKeyDialogProps) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const make = useMutation({
    mutationFn: () => post<CreatedKey>('/v1/api-keys', { name: name.trim(), role }),
    onSuccess: async (key) => {
      onMade(key);
      onClose();
      await queries.invalidateQueries({ queryKey: ['api-keys'] });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title="New API key"
      data-dialog
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={submit} className={classes['form']}>
        <TextInput
          label="Name"
          description="Whose key it is; stands in the history of what is done with it"
          required
          withAsterisk={false}
          maxLength={100}
          value={name}
          error={fieldError(make.error, 'name')}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <Select label="Role" data={ROLES} value={role} onChange={(value) => setRole(value ?? role)} />
        {make.error && (
          <p role="alert" className={classes['error']}>
            {explain(make.error).join('. ')}
          </p>
        )}
        <DialogButtons onCancel={onClose}>
          <Button type="submit" loading={make.isPending}>
            Make the key
          </Button>
        </DialogButtons>
      </form>
    </Modal>
  );
}
