import { HOUR_MS } from '../../time/durations.js';
import { Button, Select, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useMay } from '../../api/session.js';
import type { Alert } from '../../api/schema.js';
import { now, useNow } from '../../time/clock.js';
import { dayAndTime, VIEWER_ZONE } from '../../time/format.js';
import { FormDialog } from '../../ui/Form.js';
import classes from './ActionDialog.module.css';
import type { AlertVerb, Target } from './actions.js';
import { AssignMenu } from './AssignMenu.js';
import { CloseDialog } from './CloseDialog.js';
import { perform, useHeld } from './held.js';
import { t } from '../../i18n/i18n.js';

const SNOOZES = [
  { value: String(HOUR_MS / 2), label: t('30 minutes') },
  { value: String(HOUR_MS), label: t('1 hour') },
  { value: String(4 * HOUR_MS), label: t('4 hours') },
  { value: String(24 * HOUR_MS), label: t('1 day') },
  { value: String(72 * HOUR_MS), label: t('3 days') },
];

interface ActionText {
  title: string;
  /** The title for several alerts. */
  several: (count: number) => string;
  effect: string;
  /** The label of the note. */
  note: string;
}

const TEXTS: Record<'acknowledge' | 'snooze', ActionText> = {
  acknowledge: {
    title: t('Acknowledge'),
    several: (count) => t('Acknowledge {{count, number}} alerts', { count }),
    effect: t('You’re handling this; reminders stop.'),
    note: t('What you are doing about it'),
  },
  snooze: {
    title: t('Snooze'),
    several: (count) => t('Snooze {{count, number}} alerts', { count }),
    effect: t('No notifications until the snooze ends. If the alert is still open then, a reminder is sent.'),
    note: t('Why it can wait'),
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
  const [wait, setWait] = useState(String(HOUR_MS));
  const present = useNow();
  const { title, several, effect, note: label } = TEXTS[verb];
  const submit = (): void => {
    const until = verb === 'snooze' ? new Date(now() + Number(wait)).toISOString() : undefined;
    perform({ verb, targets: seen, note: note.trim() || undefined, until });
    onDone?.();
    onClose();
  };
  return (
    <FormDialog
      title={seen.length > 1 ? several(seen.length) : title}
      action={title}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{effect}</p>
      {verb === 'snooze' && (
        <Select
          label={t('Snooze for')}
          description={t('Until {{time}}', {
            time: dayAndTime(present + Number(wait), VIEWER_ZONE, present),
          })}
          data={SNOOZES}
          value={wait}
          onChange={(value) => setWait(value ?? wait)}
        />
      )}
      <Textarea
        label={label}
        description={t('Optional')}
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
  const [verb, setVerb] = useState<Exclude<AlertVerb, 'assign'>>();
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
  onChoose: (verb: Exclude<AlertVerb, 'assign'>) => void;
}

export function ActionButtons({ canAcknowledge, onChoose }: ActionButtonsProps) {
  return (
    <>
      {canAcknowledge && <Button onClick={() => onChoose('acknowledge')}>{t('Acknowledge')}</Button>}
      <Button variant="default" onClick={() => onChoose('snooze')}>
        {t('Snooze')}
      </Button>
      <Button variant="default" onClick={() => onChoose('close')}>
        {t('Close')}
      </Button>
    </>
  );
}

/** Actions for the selected alerts. */
export function SelectionBar({ targets, onDone }: { targets: readonly Alert[]; onDone: () => void }) {
  const { open, dialog } = useActionDialog(targets, onDone);
  return (
    <div role="status" className={classes['status']}>
      {targets.length > 0 && (
        <div className={classes['bar']}>
          <p>{t('{{count, number}} selected', { count: targets.length })}</p>
          <ActionButtons canAcknowledge onChoose={open} />
          <AssignMenu alerts={targets} />
          <Button variant="subtle" color="gray" onClick={onDone}>
            {t('Clear selection')}
          </Button>
        </div>
      )}
      {dialog}
    </div>
  );
}

/** Acknowledges at once, without a note. */
export function AcknowledgeButton({ alertId }: { alertId: string }) {
  const doing = useHeld().get(alertId);
  if (!useMay('support')) return null;
  return (
    <Button
      variant="default"
      disabled={doing !== undefined}
      onClick={() => perform({ verb: 'acknowledge', targets: [{ id: alertId }] })}
    >
      {doing ?? t('Acknowledge')}
    </Button>
  );
}
