import { Button, PasswordInput, Switch, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { patch, post, remove } from '../../api/request.js';
import { useMay, useStaff } from '../../api/session.js';
import type { Staff } from '../../api/schema.js';
import type { Role } from '../../api/vocabulary.js';
import { queries } from '../../app/services.js';
import { Moment } from '../../time/Moment.js';
import { CsvLink } from '../../ui/CsvLink.js';
import { FormDialog, useForm } from '../../ui/Form.js';
import { TableList, TwoLines, useList } from '../../ui/List.js';
import { notify, notifyError } from '../../ui/notify.js';
import { PageHead } from '../../ui/PageHead.js';
import { Empty, NoAccess } from '../../ui/States.js';
import table from '../../ui/Table.module.css';
import { RoleSelect } from './RoleSelect.js';
import { t } from '../../i18n/i18n.js';

const DEFAULT_ROLE: Role = 'support';

/** The accounts of staff. */
export function StaffPage() {
  const isAdmin = useMay('admin');
  const me = useStaff();
  const [edited, setEdited] = useState<Staff | 'new'>();
  const list = useList<Staff>(['staff'], '/v1/staff', { limit: undefined }, isAdmin);
  if (!isAdmin) return <NoAccess title={t('Staff')}>{t('Only admins can manage staff accounts.')}</NoAccess>;
  return (
    <>
      <PageHead title={t('Staff')} lead={t('Accounts that can sign in, and their roles.')}>
        <CsvLink path="/v1/staff" name="staff" />
        <Button onClick={() => setEdited('new')}>{t('Create account')}</Button>
      </PageHead>
      <TableList
        list={list}
        empty={<Empty title={t('No accounts')} />}
        rowKey={({ id }) => id}
        columns={[
          {
            title: t('Name'),
            cell: ({ id, name, email }) => (
              <TwoLines
                main={
                  <span className={table['main']}>{id === me.id ? t('{{name}} (you)', { name }) : name}</span>
                }
                small={email}
              />
            ),
          },
          { title: t('Role'), cell: ({ role }) => role },
          { title: t('Status'), cell: ({ disabled }) => (disabled ? t('Deactivated') : t('Active')) },
          { title: t('Second factor'), cell: ({ second_factor }) => (second_factor ? t('On') : t('Off')) },
          { title: t('Created'), cell: ({ created_at }) => <Moment at={created_at} /> },
          {
            title: t('Actions'),
            hiddenTitle: true,
            as: 'number',
            cell: (member) => (
              <Button
                variant="default"
                onClick={() => setEdited(member)}
                aria-label={t('Edit {{name}}', { name: member.name })}
              >
                {t('Edit')}
              </Button>
            ),
          },
        ]}
      />
      {edited && <StaffDialog edited={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

function StaffDialog({ edited, onClose }: { edited: Staff | 'new'; onClose: () => void }) {
  const member = edited === 'new' ? undefined : edited;
  const isOwn = useStaff().id === member?.id;
  const { saving, text, toggle } = useForm({
    initial: {
      email: member?.email ?? '',
      name: member?.name ?? '',
      role: member?.role ?? DEFAULT_ROLE,
      disabled: member?.disabled ?? false,
      password: '',
    },
    save: ({ email, name, role, disabled, password }, key) =>
      member
        ? patch(`/v1/staff/${member.id}`, { name, role, disabled, ...(password === '' ? {} : { password }) })
        : post('/v1/staff', { email: email.trim(), name, role, password }, key),
    onSaved: async () => {
      await queries.invalidateQueries({ queryKey: ['staff'] });
      notify(member ? t('Account updated.') : t('Account created.'));
      onClose();
    },
  });
  return (
    <FormDialog
      title={member ? t('Edit {{name}}', { name: member.name }) : t('Create account')}
      action={member ? t('Save changes') : t('Create account')}
      saving={saving}
      onClose={onClose}
    >
      {!member && (
        <TextInput
          label={t('E-mail')}
          type="email"
          autoComplete="off"
          required
          {...text('email')}
          data-autofocus
        />
      )}
      <TextInput
        label={t('Name')}
        description={t('Shown in the audit log and in the history of alerts')}
        autoComplete="off"
        required
        {...text('name')}
      />
      <RoleSelect {...text('role')} />
      {!isOwn && (
        <PasswordInput
          label={member ? t('New password') : t('Password')}
          description={
            member
              ? t('Leave blank to keep the current one. They choose another when they sign in.')
              : t('At least 12 characters. They choose another when they first sign in.')
          }
          autoComplete="new-password"
          minLength={12}
          required={!member}
          {...text('password')}
        />
      )}
      {member && (
        <Switch
          label={t('Deactivated')}
          description={t('Deactivated accounts cannot sign in.')}
          {...toggle('disabled')}
        />
      )}
      {member?.second_factor && <ResetSecondFactor member={member} onDone={onClose} />}
    </FormDialog>
  );
}

/** For a person who has lost the authenticator app and the recovery codes. */
function ResetSecondFactor({ member: { id, name }, onDone }: { member: Staff; onDone: () => void }) {
  const reset = useMutation({
    mutationFn: () => remove(`/v1/staff/${id}/second-factor`),
    onSuccess: () => {
      notify(t('Second factor of {{name}} reset.', { name }));
      onDone();
    },
    onError: notifyError,
  });
  return (
    <Button variant="default" loading={reset.isPending} onClick={() => reset.mutate()}>
      {t('Reset second factor')}
    </Button>
  );
}
