import { Button, Select, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useMay } from '../../api/session.js';
import { now, useNow } from '../../time/clock.js';
import { dayAndTime, VIEWER_ZONE } from '../../time/format.js';
import { FormDialog } from '../../ui/Form.js';
import classes from './ActionDialog.module.css';
import { type AlertVerb, type Target, useAlertAction } from './actions.js';
import { CloseDialog } from './CloseDialog.js';

const HOUR = 3_600_000;

const SNOOZES = [
  { value: String(HOUR / 2), label: '30 minutes' },
  { value: String(HOUR), label: '1 hour' },
  { value: String(4 * HOUR), label: '4 hours' },
  { value: String(24 * HOUR), label: '1 day' },
  { value: String(72 * HOUR), label: '3 days' },
];

interface ActionText {
  title: string;
  effect: string;
  /** The label of the note. */
  note: string;
}

const TEXTS: Record<'acknowledge' | 'snooze', ActionText> = {
  acknowledge: {
    title: 'Acknowledge',
    effect: 'You’re handling this; reminders stop.',
    note: 'What you are doing about it',
  },
  snooze: {
    title: 'Snooze',
    effect: 'No notifications until the snooze ends. If the alert is still open then, a reminder is sent.',
    note: 'Why it can wait',
  },
};

interface ActionDialogProps {
  verb: 'acknowledge' | 'snooze';
  targets: readonly Target[];
  onClose: () => void;
  onDone?: (() => void) | undefined;
}

/** Acknowledges or snoozes one alert or several, with a note. */
function ActionDialog({ verb, targets, onClose, onDone }: ActionDialogProps) {
  // the alerts as they were when the dialog was opened: a live page reloads them in the meantime
  const [seen] = useState(targets);
  const [note, setNote] = useState('');
  const [wait, setWait] = useState(String(HOUR));
  const present = useNow();
  const action = useAlertAction(() => {
    onDone?.();
    onClose();
  });
  const { title, effect, note: label } = TEXTS[verb];
  const submit = (): void => {
    const until = verb === 'snooze' ? new Date(now() + Number(wait)).toISOString() : undefined;
    action.mutate({ verb, targets: seen, note: note.trim() || undefined, until });
  };
  return (
    <FormDialog
      title={seen.length > 1 ? `${title} ${seen.length} alerts` : title}
      action={title}
      saving={{ isPending: action.isPending, mutate: submit }}
      onClose={onClose}
    >
      <p>{effect}</p>
      {verb === 'snooze' && (
        <Select
          label="Snooze for"
          description={`Until ${dayAndTime(present + Number(wait), VIEWER_ZONE, present)}`}
          data={SNOOZES}
          value={wait}
          onChange={(value) => setWait(value ?? wait)}
        />
      )}
      <Textarea
        label={label}
        description="Optional"
        autosize={false}
        rows={3}
        maxLength={1000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        data-autofocus
      />
    </FormDialog>
  );
}

/** The dialog of an action. It stays open when the alerts change or leave the list in the meantime. */
export function useActionDialog(targets: readonly Target[], onDone?: () => void) {
  const [verb, setVerb] = useState<AlertVerb>();
  const close = (): void => setVerb(undefined);
  const dialog =
    verb === 'close' ? (
      <CloseDialog {...{ targets, onDone }} onClose={close} />
    ) : (
      verb && <ActionDialog {...{ verb, targets, onDone }} onClose={close} />
    );
  return { open: setVerb, dialog };
}

interface ActionButtonsProps {
  canAcknowledge: boolean;
  onChoose: (verb: AlertVerb) => void;
}

export function ActionButtons({ canAcknowledge, onChoose }: ActionButtonsProps) {
  return (
    <>
      {canAcknowledge && <Button onClick={() => onChoose('acknowledge')}>Acknowledge</Button>}
      <Button variant="default" onClick={() => onChoose('snooze')}>
        Snooze
      </Button>
      <Button variant="default" onClick={() => onChoose('close')}>
        Close
      </Button>
    </>
  );
}

/** Actions for the selected alerts. */
export function SelectionBar({ targets, onDone }: { targets: readonly Target[]; onDone: () => void }) {
  const { open, dialog } = useActionDialog(targets, onDone);
  return (
    <div role="status" className={classes['status']}>
      {targets.length > 0 && (
        <div className={classes['bar']}>
          <p>{targets.length} selected</p>
          <ActionButtons canAcknowledge onChoose={open} />
          <Button variant="subtle" color="gray" onClick={onDone}>
            Clear selection
          </Button>
        </div>
      )}
      {dialog}
    </div>
  );
}

/** Acknowledges at once, without a note. */
export function AcknowledgeButton({ alertId }: { alertId: string }) {
  const action = useAlertAction();
  if (!useMay('support')) return null;
  return (
    <Button
      variant="default"
      loading={action.isPending}
      onClick={() => action.mutate({ verb: 'acknowledge', targets: [{ id: alertId }] })}
    >
      Acknowledge
    </Button>
  );
}
