import { Button, Modal, Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldError } from '../../../api/http.js';
import { patch, post, remove } from '../../../api/request.js';
import { useMay } from '../../../api/session.js';
import type { Bottle, ErasureReceipt } from '../../../api/types.js';
import { queries } from '../../../app/services.js';
import { ZONES } from '../../../time/all-zones.js';
import { DialogButtons } from '../../../ui/DialogButtons.js';
import { DownloadIcon } from '../../../ui/icons.js';
import { notify } from '../../../ui/notify.js';
import { Panel } from '../../../ui/Panel.js';
import { Empty, explain } from '../../../ui/States.js';
import { TokenOnce } from '../../../ui/TokenOnce.js';
import { useBottle } from '../queries.js';
import classes from './ManageTab.module.css';

/** What changes the bottle itself. */
export function ManageTab() {
  const supports = useMay('support');
  const administers = useMay('admin');
  if (!supports)
    return <Empty title="You may not do this">Somebody of support or an admin can change a bottle.</Empty>;
  return (
    <div className={classes['page']}>
      <ChangeForm />
      <RotateToken />
      <Export />
      {administers && <Erase />}
    </div>
  );
}

/** Whose it is, what is in it, where it is at home. */
export function ChangeForm() {
  const { bottle_id, user_id, medication, time_zone } = useBottle();
  const [draft, setDraft] = useState({ user_id, medication, time_zone });
  const changed = Object.entries({ user_id, medication, time_zone }).filter(
    ([field, value]) => draft[field as keyof typeof draft] !== value,
  );
  const save = useMutation({
    mutationFn: () =>
      patch(
        `/v1/bottles/${bottle_id}`,
        Object.fromEntries(changed.map(([field]) => [field, draft[field as keyof typeof draft]])),
      ),
    onSuccess: () => notify('The bottle has been changed.'),
    onSettled: () => queries.invalidateQueries({ queryKey: ['bottle', bottle_id] }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Panel title="The bottle">
      <form onSubmit={submit} className={classes['form']}>
        <TextInput
          label="User id"
          required
          withAsterisk={false}
          maxLength={200}
          value={draft.user_id}
          error={fieldError(save.error, 'user_id')}
          onChange={(event) => setDraft({ ...draft, user_id: event.currentTarget.value })}
        />
        <TextInput
          label="Medication"
          required
          withAsterisk={false}
          maxLength={200}
          value={draft.medication}
          error={fieldError(save.error, 'medication')}
          onChange={(event) => setDraft({ ...draft, medication: event.currentTarget.value })}
        />
        <Select
          label="Time zone"
          description="Doses that follow the bottle follow it from now on."
          searchable
          data={ZONES.includes(time_zone) ? ZONES : [time_zone, ...ZONES]}
          value={draft.time_zone}
          error={fieldError(save.error, 'time_zone')}
          onChange={(zone) => setDraft({ ...draft, time_zone: zone ?? time_zone })}
        />
        {save.error && (
          <p role="alert" className={classes['error']}>
            {explain(save.error).join('. ')}
          </p>
        )}
        <div>
          <Button type="submit" disabled={changed.length === 0} loading={save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Panel>
  );
}

/** A new token for the device, when the old one is lost or known to others. */
export function RotateToken() {
  const { bottle_id } = useBottle();
  const [sure, setSure] = useState(false);
  const rotate = useMutation({
    mutationFn: () => post<{ token: string }>(`/v1/bottles/${bottle_id}/token`),
    onSettled: () => setSure(false),
  });
  return (
    <Panel title="The device’s token">
      {rotate.data ? (
        <TokenOnce token={rotate.data.token} name="New token of the device" />
      ) : (
        <>
          <p className={classes['text']}>
            The device shows it with every report. A new one ends the old one at once: the bottle cannot
            report until it has the new one.
          </p>
          {rotate.error && (
            <p role="alert" className={classes['error']}>
              {explain(rotate.error).join('. ')}
            </p>
          )}
          {sure ? (
            <>
              <Button color="red" loading={rotate.isPending} onClick={() => rotate.mutate()}>
                Yes, end the old token
              </Button>{' '}
              <Button variant="default" onClick={() => setSure(false)}>
                Cancel
              </Button>
            </>
          ) : (
            <Button variant="default" onClick={() => setSure(true)}>
              New token
            </Button>
          )}
        </>
      )}
    </Panel>
  );
}

/** Everything that is held about the bottle, for whoever asks for their data. */
export function Export() {
  const { bottle_id } = useBottle();
  return (
    <Panel title="Export">
      <p className={classes['text']}>One JSON file with everything that is held about this bottle.</p>
      <Button
        component="a"
        variant="default"
        href={`/v1/bottles/${bottle_id}/export`}
        download={`bottle-${bottle_id}.json`}
        leftSection={<DownloadIcon />}
      >
        Download
      </Button>
    </Panel>
  );
}

/** Erases the bottle with all that is known of it. Asks for its id first and leaves a receipt. */
export function Erase() {
  const bottle = useBottle();
  const [asking, setAsking] = useState(false);
  const erase = useMutation({
    mutationFn: () => remove<ErasureReceipt>(`/v1/bottles/${bottle.bottle_id}`),
    // the page finds the bottle gone, and shows the receipt
    onSuccess: () => queries.invalidateQueries(),
  });
  return (
    <Panel title="Erase">
      <p className={classes['text']}>
        The bottle, its history, its doses, alerts and messages are erased for good. Its device is refused
        from then on.
      </p>
      <Button color="red" variant="light" onClick={() => setAsking(true)}>
        Erase this bottle
      </Button>
      {asking && (
        <AskDialog
          bottle={bottle}
          error={erase.error}
          busy={erase.isPending}
          onErase={() => erase.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </Panel>
  );
}

interface AskDialogProps {
  bottle: Bottle;
  error: Error | null;
  busy: boolean;
  onErase: () => void;
  onClose: () => void;
}

function AskDialog({
  bottle: { bottle_id, medication, user_id },
  error,
  busy,
  onErase,
  onClose,
}: AskDialogProps) {
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onErase();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title="Erase this bottle for good?"
      data-dialog
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={submit} className={classes['form']}>
        <p>
          {medication} of {user_id}. To be sure that it is the right one, write its id:{' '}
          <code>{bottle_id}</code>
        </p>
        <TextInput
          label="The bottle’s id"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          data-autofocus
        />
        {error && (
          <p role="alert" className={classes['error']}>
            {explain(error).join('. ')}
          </p>
        )}
        <DialogButtons onCancel={onClose}>
          <Button
            type="submit"
            color="red"
            disabled={typed.trim().toLowerCase() !== bottle_id}
            loading={busy}
          >
            Erase for good
          </Button>
        </DialogButtons>
      </form>
    </Modal>
  );
}
