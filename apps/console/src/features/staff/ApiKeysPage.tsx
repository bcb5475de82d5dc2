import { Button, Modal, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldError } from '../../api/http.js';
import { get, post, remove } from '../../api/request.js';
import { useMay } from '../../api/session.js';
import type { ApiKey, Page, Role } from '../../api/types.js';
import { queries } from '../../app/services.js';
import { Moment } from '../../time/Moment.js';
import { CsvLink } from '../../ui/CsvLink.js';
import { DialogButtons } from '../../ui/DialogButtons.js';
import { notify } from '../../ui/notify.js';
import { PageHead } from '../../ui/PageHead.js';
import { Panel } from '../../ui/Panel.js';
import panel from '../../ui/Panel.module.css';
import { Empty, explain, Failed, Loading } from '../../ui/States.js';
import table from '../../ui/Table.module.css';
import { TokenOnce } from '../../ui/TokenOnce.js';
import { ROLES } from './roles.js';
import classes from './Staff.module.css';

/** Keys by which programs use the API. */
export function ApiKeysPage() {
  const administers = useMay('admin');
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<CreatedKey>();
  const { data, error, refetch } = useQuery({
    queryKey: ['api-keys'],
    queryFn: ({ signal }) => get<Page<ApiKey>>('/v1/api-keys', { signal }),
    enabled: administers,
  });
  if (!administers)
    return (
      <>
        <PageHead title="API keys" />
        <Empty title="This page is for admins">An admin makes and ends API keys.</Empty>
      </>
    );
  return (
    <>
      <PageHead title="API keys" lead="For programs that use the API: a bearer token each.">
        <CsvLink path="/v1/api-keys" name="api-keys" />
        <Button onClick={() => setMaking(true)}>New key</Button>
      </PageHead>
      {made && (
        <Panel title="The new key" className={classes['made']}>
          <TokenOnce token={made.key} name={`Key “${made.name}”`} />
        </Panel>
      )}
      {!data && (error ? <Failed error={error} retry={() => void refetch()} /> : <Loading />)}
      {data && (
        <div className={panel['panel']}>
          {data.items.length === 0 ? (
            <Empty title="There is no key yet">A program needs one to use the API.</Empty>
          ) : (
            <Keys keys={data.items} />
          )}
        </div>
      )}
      {making && <ApiKeyDialog onMade={setMade} onClose={() => setMaking(false)} />}
    </>
  );
}

function Keys({ keys }: { keys: readonly ApiKey[] }) {
  return (
    <div className={table['wrap']}>
      <table className={table['table']}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Role</th>
            <th scope="col">Made</th>
            <th scope="col">
              <span className="visually-hidden">What can be done</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <td className={table['main']}>{key.name}</td>
              <td data-label="Role">{key.role}</td>
              <td data-label="Made">
                <Moment at={key.created_at} />
              </td>
              <td className={table['number']}>
                <Revoke apiKey={key} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Revoke({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const [sure, setSure] = useState(false);
  const revoke = useMutation({
    mutationFn: () => remove(`/v1/api-keys/${id}`),
    onSuccess: () => notify(`The key “${name}” works no more.`),
    onError: (error) => notify(explain(error).join('. '), 'failed'),
    onSettled: () => queries.invalidateQueries({ queryKey: ['api-keys'] }),
  });
  if (!sure) {
    return (
      <Button variant="default" onClick={() => setSure(true)} aria-label={`Revoke ${name}`}>
        Revoke
      </Button>
    );
  }
  return (
    <span className={classes['actions']}>
      <Button color="red" loading={revoke.isPending} onClick={() => revoke.mutate()}>
        Yes, end it
      </Button>
      <Button variant="default" onClick={() => setSure(false)}>
        Cancel
      </Button>
    </span>
  );
}

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
