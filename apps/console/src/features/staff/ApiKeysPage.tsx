import { Button, Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { post, remove } from '../../api/request.js';
import { useMay } from '../../api/session.js';
import type { ApiKey } from '../../api/types.js';
import { now } from '../../time/clock.js';
import { Moment } from '../../time/Moment.js';
import { CsvLink } from '../../ui/CsvLink.js';
import { FormDialog, useForm } from '../../ui/Form.js';
import { TableList, useList } from '../../ui/List.js';
import { notify, notifyError } from '../../ui/notify.js';
import { PageHead } from '../../ui/PageHead.js';
import { Panel } from '../../ui/Panel.js';
import { Empty, NoAccess } from '../../ui/States.js';
import table from '../../ui/Table.module.css';
import { TokenOnce } from '../../ui/TokenOnce.js';
import classes from './ApiKeysPage.module.css';
import { RoleSelect } from './RoleSelect.js';

const DAY_MS = 24 * 60 * 60_000;
const EXPIRY = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

type CreatedKey = ApiKey & { key: string };

/** The keys of programs that use the API. */
export function ApiKeysPage() {
  const isAdmin = useMay('admin');
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedKey>();
  const list = useList<ApiKey>(['api-keys'], '/v1/api-keys', { limit: undefined }, isAdmin);
  if (!isAdmin) return <NoAccess title="API keys">Only admins can manage API keys.</NoAccess>;
  return (
    <>
      <PageHead
        title="API keys"
        lead="Bearer tokens for programs that use the API. A key ends with its owner’s account."
      >
        <CsvLink path="/v1/api-keys" name="api-keys" />
        <Button onClick={() => setCreating(true)}>Create API key</Button>
      </PageHead>
      {created && (
        <Panel title="New API key" className={classes['created']}>
          <TokenOnce token={created.key} name={`API key “${created.name}”`} />
        </Panel>
      )}
      <TableList
        list={list}
        empty={<Empty title="No API keys">Create one for each program that uses the API.</Empty>}
        rowKey={({ id }) => id}
        columns={[
          { title: 'Name', cell: ({ name }) => <span className={table['main']}>{name}</span> },
          { title: 'Role', cell: ({ role }) => role },
          { title: 'Owner', cell: ({ owner }) => owner?.name ?? 'None' },
          { title: 'Created', cell: ({ created_at }) => <Moment at={created_at} /> },
          { title: 'Expires', cell: ({ expires_at }) => (expires_at ? <Moment at={expires_at} /> : 'Never') },
          {
            title: 'Last used',
            cell: ({ last_used_at }) => (last_used_at ? <Moment at={last_used_at} /> : 'Never'),
          },
          { title: 'Actions', hiddenTitle: true, as: 'number', cell: (key) => <RevokeButton apiKey={key} /> },
        ]}
      />
      {creating && <CreateDialog onCreated={setCreated} onClose={() => setCreating(false)} />}
    </>
  );
}

interface CreateDialogProps {
  onCreated: (key: CreatedKey) => void;
  onClose: () => void;
}

function CreateDialog({ onCreated, onClose }: CreateDialogProps) {
  const { saving, text } = useForm({
    initial: { name: '', role: 'viewer', days: '365' },
    save: ({ name, role, days }) =>
      post<CreatedKey>('/v1/api-keys', {
        name: name.trim(),
        role,
        expires_at: new Date(now() + Number(days) * DAY_MS).toISOString(),
      }),
    onSaved: (key) => {
      onCreated(key);
      onClose();
    },
  });
  return (
    <FormDialog title="Create API key" action="Create key" saving={saving} onClose={onClose}>
      <TextInput
        label="Name"
        description="The program that uses the key. Shown in the audit log."
        required
        maxLength={100}
        {...text('name')}
        data-autofocus
      />
      <RoleSelect {...text('role')} />
      <Select label="Expires" data={EXPIRY} allowDeselect={false} {...text('days', 'expires_at')} />
    </FormDialog>
  );
}

/** Asks for confirmation first. */
function RevokeButton({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const [confirming, setConfirming] = useState(false);
  const revoke = useMutation({
    mutationFn: () => remove(`/v1/api-keys/${id}`),
    onSuccess: () => notify(`API key “${name}” revoked.`),
    onError: notifyError,
  });
  if (!confirming) {
    return (
      <Button variant="default" onClick={() => setConfirming(true)} aria-label={`Revoke ${name}`}>
        Revoke
      </Button>
    );
  }
  return (
    <span className={classes['actions']}>
      <Button color="red" loading={revoke.isPending} onClick={() => revoke.mutate()}>
        Revoke key
      </Button>
      <Button variant="default" onClick={() => setConfirming(false)}>
        Cancel
      </Button>
    </span>
  );
}
