import { Button, Modal, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { remove } from '../../../api/request.js';
import type { Bottle, ErasureReceipt } from '../../../api/types/bottle.js';
import { queries } from '../../../app/services.js';
import { DialogButtons } from '../../../ui/DialogButtons.js';
import { Panel } from '../../../ui/Panel.js';
import { explain } from '../../../ui/States.js';
import { useBottle } from '../queries.js';
import classes from './ManageTab.module.css';

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
