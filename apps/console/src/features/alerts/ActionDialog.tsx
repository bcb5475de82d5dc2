import { Button, Modal, Select, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMay } from '../../api/session.js';
import { now, useNow } from '../../time/clock.js';
import { dayAndTime, VIEWER_ZONE } from '../../time/format.js';
import { DialogButtons } from '../../ui/DialogButtons.js';
import classes from './ActionDialog.module.css';
import { type AlertVerb, type Target, useAlertAction } from './actions.js';

const HOUR = 3_600_000;

const SNOOZES = [
  { value: String(HOUR / 2), label: '30 minutes' },
  { value: String(HOUR), label: '1 hour' },
  { value: String(4 * HOUR), label: '4 hours' },
  { value: String(24 * HOUR), label: '1 day' },
  { value: String(72 * HOUR), label: '3 days' },
];

const WORDS: Record<AlertVerb, { title: string; does: string; note: string }> = {
  acknowledge: {
    title: 'Acknowledge',
    does: 'You take care of it: nobody is told again.',
    note: 'What is being done about it',
  },
  snooze: {
    title: 'Snooze',
    does: 'Nobody is told before then. If it has not ended, it is told again.',
    note: 'Why it can wait',
  },
  resolve: {
    title: 'Resolve',
    does: 'You declare it over. Who was told hears of it.',
    note: 'What was found',
  },
};

interface ActionDialogProps {
  verb: AlertVerb;
  targets: readonly Target[];
  onClose: () => void;
  onDone?: () => void;
}

/** Acknowledge, snooze or resolve with a note, one alert or many. */
export function ActionDialog({ verb, targets, onClose, onDone }: ActionDialogProps) {
  // as they were when the dialog was opened: a live page reads them again meanwhile
  const [seen] = useState(targets);
  const [note, setNote] = useState('');
  const [wait, setWait] = useState(String(HOUR));
  const present = useNow();
  const action = useAlertAction(() => {
    onDone?.();
    onClose();
  });
  const { title, does, note: label } = WORDS[verb];
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const until = verb === 'snooze' ? new Date(now() + Number(wait)).toISOString() : undefined;
    action.mutate({ verb, targets: seen, note: note.trim() || undefined, until });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={seen.length > 1 ? `${title} ${seen.length} alerts` : title}
      data-dialog
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={submit}>
        <p>{does}</p>
        {verb === 'snooze' && (
          <Select
            mt={12}
            label="For"
            description={`Until ${dayAndTime(present + Number(wait), VIEWER_ZONE, present)}`}
            data={SNOOZES}
            value={wait}
            onChange={(value) => setWait(value ?? wait)}
          />
        )}
        <Textarea
          mt={12}
          label={label}
          description="May be left empty"
          autosize={false}
          rows={3}
          maxLength={1000}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          data-autofocus
        />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" loading={action.isPending}>
            {title}
          </Button>
        </DialogButtons>
      </form>
    </Modal>
  );
}

/** What can be done with the alerts that are selected. */
export function SelectionBar({ targets, onDone }: { targets: readonly Target[]; onDone: () => void }) {
  const [verb, setVerb] = useState<AlertVerb>();
  return (
    <div role="status" className={classes['status']}>
      {targets.length > 0 && (
        <div className={classes['bar']}>
          <p>{targets.length === 1 ? '1 selected' : `${targets.length} selected`}</p>
          <Button onClick={() => setVerb('acknowledge')}>Acknowledge</Button>
          <Button variant="default" onClick={() => setVerb('snooze')}>
            Snooze
          </Button>
          <Button variant="default" onClick={() => setVerb('resolve')}>
            Resolve
          </Button>
          <Button variant="subtle" color="gray" onClick={onDone}>
            Select none
          </Button>
        </div>
      )}
      {verb && (
        <ActionDialog verb={verb} targets={targets} onClose={() => setVerb(undefined)} onDone={onDone} />
      )}
    </div>
  );
}

/** One press, no note: for whoever takes care of it now. */
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
