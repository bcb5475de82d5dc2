import { Button, Modal, PasswordInput, Select, Switch, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldError } from '../../api/http.js';
import { get, patch, post } from '../../api/request.js';
import { useMay, useStaff } from '../../api/session.js';
import type { Page, Role, StaffMember } from '../../api/types.js';
import { queries } from '../../app/services.js';
import { Moment } from '../../time/Moment.js';
import { CsvLink } from '../../ui/CsvLink.js';
import { DialogButtons } from '../../ui/DialogButtons.js';
import { notify } from '../../ui/notify.js';
import { PageHead } from '../../ui/PageHead.js';
import panel from '../../ui/Panel.module.css';
import { Empty, explain, Failed, Loading } from '../../ui/States.js';
import table from '../../ui/Table.module.css';
import { ROLES } from './roles.js';
import classes from './Staff.module.css';

/** Who may sign in, and as what. */
export function StaffPage() {
  const administers = useMay('admin');
  const [edited, setEdited] = useState<StaffMember | 'new'>();
  const { data, error, refetch } = useQuery({
    queryKey: ['staff'],
    queryFn: ({ signal }) => get<Page<StaffMember>>('/v1/staff', { signal }),
    enabled: administers,
  });
  if (!administers)
    return (
      <>
        <PageHead title="Staff" />
        <Empty title="This page is for admins">An admin decides who may sign in.</Empty>
      </>
    );
  return (
    <>
      <PageHead title="Staff" lead="Who may sign in, and as what.">
        <CsvLink path="/v1/staff" name="staff" />
        <Button onClick={() => setEdited('new')}>New account</Button>
      </PageHead>
      {!data && (error ? <Failed error={error} retry={() => void refetch()} /> : <Loading />)}
      {data && <Members members={data.items} onEdit={setEdited} />}
      {edited && <StaffDialog edited={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

function Members({
  members,
  onEdit,
}: {
  members: readonly StaffMember[];
  onEdit: (member: StaffMember) => void;
}) {
  const me = useStaff();
  return (
    <div className={panel['panel']}>
      <div className={table['wrap']}>
        <table className={table['table']}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Role</th>
              <th scope="col">Account</th>
              <th scope="col">Since</th>
              <th scope="col">
                <span className="visually-hidden">What can be done</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {members.map((member) => (
              <tr key={member.id}>
                <td>
                  <div className={table['two']}>
                    <span className={table['main']}>
                      {member.name}
                      {member.id === me.id && ' (you)'}
                    </span>
                    <span className={table['small']}>{member.email}</span>
                  </div>
                </td>
                <td data-label="Role">{member.role}</td>
                <td data-label="Account">{member.disabled ? 'Closed' : 'Open'}</td>
                <td data-label="Since">
                  <Moment at={member.created_at} />
                </td>
                <td className={table['number']}>
                  <Button
                    variant="default"
                    onClick={() => onEdit(member)}
                    aria-label={`Change ${member.name}`}
                  >
                    Change
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

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
