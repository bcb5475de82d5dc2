import { DAY_MS } from '../../time/durations.js';
import { Button, Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { post, remove } from '../../api/request.js';
import { useMay } from '../../api/session.js';
import type { ApiKey } from '../../api/schema.js';
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
import { t } from '../../i18n/i18n.js';

const EXPIRY = [
  { value: '30', label: t('In 30 days') },
  { value: '90', label: t('In 90 days') },
  { value: '365', label: t('In a year') },
];

type CreatedKey = ApiKey & { key: string };

/** The keys of programs that use the API. */
export function ApiKeysPage() {
  const isAdmin = useMay('admin');
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedKey>();
  const list = useList<ApiKey>(['api-keys'], '/v1/api-keys', { limit: undefined }, isAdmin);
  if (!isAdmin) return <NoAccess title={t('API keys')}>{t('Only admins can manage API keys.')}</NoAccess>;
  return (
    <>
      <PageHead
        title={t('API keys')}
        lead={t('Bearer tokens for programs that use the API. A key ends with its owner’s account.')}
      >
        <CsvLink path="/v1/api-keys" name="api-keys" />
        <Button onClick={() => setCreating(true)}>{t('Create API key')}</Button>
      </PageHead>
      {created && (
        <Panel title={t('New API key')} className={classes['created']}>
          <TokenOnce token={created.key} name={t('API key “{{name}}”', { name: created.name })} />
        </Panel>
      )}
      <TableList
        list={list}
        empty={<Empty title={t('No API keys')}>{t('Create one for each program that uses the API.')}</Empty>}
        rowKey={({ id }) => id}
        columns={[
          { title: t('Name'), cell: ({ name }) => <span className={table['main']}>{name}</span> },
          { title: t('Role'), cell: ({ role }) => role },
          { title: t('Owner'), cell: ({ owner }) => owner?.name ?? t('None') },
          { title: t('Created'), cell: ({ created_at }) => <Moment at={created_at} /> },
          {
            title: t('Expires'),
            cell: ({ expires_at }) => (expires_at ? <Moment at={expires_at} /> : t('Never')),
          },
          {
            title: t('Last used'),
            cell: ({ last_used_at }) => (last_used_at ? <Moment at={last_used_at} /> : t('Never')),
          },
          {
            title: t('Actions'),
            hiddenTitle: true,
            as: 'number',
            cell: (key) => <RevokeButton apiKey={key} />,
          },
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
    initial: { name: '', role: 'viewer', days: '365', opened_at: now() },
    save: ({ name, role, days, opened_at }, key) => {
      const expires_at = new Date(opened_at + Number(days) * DAY_MS).toISOString();
      return post<CreatedKey>('/v1/api-keys', { name: name.trim(), role, expires_at }, key);
    },
    onSaved: (key) => {
      onCreated(key);
      onClose();
    },
  });
  return (
    <FormDialog title={t('Create API key')} action={t('Create key')} saving={saving} onClose={onClose}>
      <TextInput
        label={t('Name')}
        description={t('The program that uses the key. Shown in the audit log.')}
        required
        maxLength={100}
        {...text('name')}
        data-autofocus
      />
      <RoleSelect {...text('role')} />
      <Select label={t('Expires')} data={EXPIRY} allowDeselect={false} {...text('days', 'expires_at')} />
    </FormDialog>
  );
}

/** Asks for confirmation first. */
function RevokeButton({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const [confirming, setConfirming] = useState(false);
  const revoke = useMutation({
    mutationFn: () => remove(`/v1/api-keys/${id}`),
    onSuccess: () => notify(t('API key “{{name}}” revoked.', { name })),
    onError: notifyError,
  });
  if (!confirming) {
    return (
      <Button
        variant="default"
        onClick={() => setConfirming(true)}
        aria-label={t('Revoke {{name}}', { name })}
      >
        {t('Revoke')}
      </Button>
    );
  }
  return (
    <span className={classes['actions']}>
      <Button color="red" loading={revoke.isPending} onClick={() => revoke.mutate()}>
        {t('Revoke key')}
      </Button>
      <Button variant="default" onClick={() => setConfirming(false)}>
        {t('Cancel')}
      </Button>
    </span>
  );
}
