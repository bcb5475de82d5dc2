import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { patch, post, remove } from '../../../api/request.js';
import { useMay } from '../../../api/session.js';
import { ZoneSelect } from '../../../time/ZoneSelect.js';
import { Form, FormDialog, FormError, useForm } from '../../../ui/Form.js';
import { DownloadIcon } from '../../../ui/icons.js';
import { notify } from '../../../ui/notify.js';
import { Panel } from '../../../ui/Panel.js';
import { Empty } from '../../../ui/States.js';
import { TokenOnce } from '../../../ui/TokenOnce.js';
import { useBottle } from '../queries.js';
import classes from './ManageTab.module.css';

/** Changes, exports and erases the bottle, and replaces its token. */
export function ManageTab() {
  const isSupport = useMay('support');
  const isAdmin = useMay('admin');
  if (!isSupport) {
    return (
      <Empty title="You don’t have access to this page">
        Managing a bottle requires the support or admin role.
      </Empty>
    );
  }
  return (
    <div className={classes['page']}>
      <DetailsForm />
      <DeviceToken />
      <Export />
      {isAdmin && <EraseBottle />}
      {isAdmin && <ErasePerson />}
    </div>
  );
}

function DetailsForm() {
  const { bottle_id, user_id, medication, time_zone } = useBottle();
  const stored = { user_id, medication, time_zone };
  const changesOf = (values: typeof stored): [field: string, value: string][] =>
    Object.entries(values).filter(([field, value]) => stored[field as keyof typeof stored] !== value);
  const {
    values,
    saving: save,
    text,
  } = useForm({
    initial: stored,
    save: (entered) => patch(`/v1/bottles/${bottle_id}`, Object.fromEntries(changesOf(entered))),
    onSaved: () => notify('Bottle updated.'),
  });
  return (
    <Panel title="Details">
      <Form onSubmit={() => save.mutate()}>
        <TextInput label="User ID" required maxLength={200} {...text('user_id')} />
        <TextInput label="Medication" required maxLength={200} {...text('medication')} />
        <ZoneSelect
          label="Patient’s time zone"
          description="A schedule without its own time zone follows this one from now on."
          {...text('time_zone')}
        />
        <FormError error={save.error} />
        <div>
          <Button type="submit" disabled={changesOf(values).length === 0} loading={save.isPending}>
            Save changes
          </Button>
        </div>
      </Form>
    </Panel>
  );
}

function DeviceToken() {
  const { bottle_id } = useBottle();
  const [confirming, setConfirming] = useState(false);
  const replace = useMutation({
    mutationFn: () => post<{ token: string }>(`/v1/bottles/${bottle_id}/token`),
    onSettled: () => setConfirming(false),
  });
  return (
    <Panel title="Device token">
      {replace.data ? (
        <TokenOnce token={replace.data.token} name="New device token" />
      ) : (
        <>
          <p className={classes['text']}>
            The device sends this token with every report. Replacing it takes effect at once: the bottle
            cannot report until the device has the new token.
          </p>
          <FormError error={replace.error} />
          {confirming ? (
            <>
              <Button color="red" loading={replace.isPending} onClick={() => replace.mutate()}>
                Replace the token
              </Button>{' '}
              <Button variant="default" onClick={() => setConfirming(false)}>
                Cancel
              </Button>
            </>
          ) : (
            <Button variant="default" onClick={() => setConfirming(true)}>
              New token
            </Button>
          )}
        </>
      )}
    </Panel>
  );
}

function Export() {
  const { bottle_id, user_id } = useBottle();
  return (
    <Panel title="Export">
      <p className={classes['text']}>All data stored about this bottle, in one JSON file.</p>
      <Button
        component="a"
        variant="default"
        href={`/v1/bottles/${bottle_id}/export`}
        download={`bottle-${bottle_id}.json`}
        leftSection={<DownloadIcon />}
      >
        Download
      </Button>{' '}
      <Button
        component="a"
        variant="default"
        href={`/v1/people/${encodeURIComponent(user_id)}/export`}
        download="person.json"
        leftSection={<DownloadIcon />}
      >
        Everything about this person
      </Button>
    </Panel>
  );
}

function EraseBottle() {
  const { bottle_id, medication, user_id } = useBottle();
  return (
    <Erase
      what="bottle"
      text="Permanently erases the bottle with its history, doses, alerts and notifications. Its device can no longer report."
      named={`${medication} for ${user_id}`}
      label="Bottle ID"
      id={bottle_id}
      path={`/v1/bottles/${bottle_id}`}
    />
  );
}

function ErasePerson() {
  const { user_id } = useBottle();
  return (
    <Erase
      what="person"
      text="Permanently erases all bottles of this person, their part of bottles that are somebody else’s now, and their contact."
      named={user_id}
      label="User ID"
      id={user_id}
      path={`/v1/people/${encodeURIComponent(user_id)}`}
    />
  );
}

interface EraseProps {
  what: string;
  text: string;
  /** How the dialog names it. */
  named: string;
  label: string;
  /** To be typed for confirmation. */
  id: string;
  path: string;
}

/** Erases something after its id was typed. The page then shows the bottle's receipt. */
function Erase({ what, text: explanation, named, label, id, path }: EraseProps) {
  const [confirming, setConfirming] = useState(false);
  const {
    values: { typed },
    saving: erase,
    text,
  } = useForm({ initial: { typed: '' }, save: () => remove<unknown>(path) });
  return (
    <Panel title={`Erase ${what}`}>
      <p className={classes['text']}>{explanation}</p>
      <Button color="red" variant="light" onClick={() => setConfirming(true)}>
        Erase {what}
      </Button>
      {confirming && (
        <FormDialog
          title={`Erase this ${what} permanently?`}
          action="Erase permanently"
          danger
          disabled={typed.trim().toLowerCase() !== id.toLowerCase()}
          saving={erase}
          onClose={() => setConfirming(false)}
        >
          <p>
            {named}. To confirm, enter the {label}: <code>{id}</code>
          </p>
          <TextInput label={label} autoComplete="off" spellCheck={false} {...text('typed')} data-autofocus />
        </FormDialog>
      )}
    </Panel>
  );
}
