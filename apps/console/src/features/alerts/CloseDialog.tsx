import { Checkbox, Select, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Trans } from 'react-i18next';
import { CLOSE_REASONS } from '../../alert-kinds/endings.js';
import type { CloseReason } from '../../api/vocabulary.js';
import { post } from '../../api/request.js';
import type { ClosingMessage } from '../../api/schema.js';
import { Moment } from '../../time/Moment.js';
import { FormDialog } from '../../ui/Form.js';
import { addresseeText } from '../notifications/notifications.js';
import classes from './ActionDialog.module.css';
import { MAX_BATCH, type Target } from './actions.js';
import { perform } from './held.js';
import { errorText } from '../../errors/error-text.js';
import { t } from '../../i18n/i18n.js';

/** That a bottle is not in use follows from retiring or storing it. */
const REASONS = Object.entries(CLOSE_REASONS)
  .filter(([value]) => value !== 'not_in_use')
  .map(([value, label]) => ({ value, label }));

/** Keystrokes within this time are one preview. */
const DEBOUNCE_MS = 500;

/** What decides about the messages. */
interface Closing {
  reason: CloseReason;
  note: string | undefined;
  notify: boolean;
}

interface CloseDialogProps {
  targets: readonly Target[];
  onClose: () => void;
  onDone?: (() => void) | undefined;
}

/** Closes alerts with a reason, after showing what people will read. */
export function CloseDialog({ targets, onClose, onDone }: CloseDialogProps) {
  // the alerts as they were when the dialog was opened: a live page reloads them in the meantime
  const [seen] = useState(targets);
  const [reason, setReason] = useState<CloseReason | null>(null);
  const [note, setNote] = useState('');
  const [notifies, setNotifies] = useState(true);
  const text = note.trim();
  const isOther = reason === 'other';
  const isComplete = reason !== null && (!isOther || text !== '');
  const closing = { reason: reason ?? undefined, note: text || undefined, notify: notifies };
  return (
    <FormDialog
      title={seen.length > 1 ? t('Close {{count, number}} alerts', { count: seen.length }) : t('Close alert')}
      action={t('Close')}
      disabled={!isComplete}
      onSubmit={() => {
        perform({ verb: 'close', targets: seen, ...closing });
        onDone?.();
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        {t('Reminders stop. The condition is still checked: if a dose is missed, people are notified of it.')}
      </p>
      <Select
        label={t('Reason')}
        data={REASONS}
        value={reason}
        onChange={(value) => setReason(value as CloseReason | null)}
        data-autofocus
      />
      <Textarea
        label={isOther ? t('Reason, as people read it') : t('Note')}
        description={isOther ? t('Required') : t('Optional; only staff read it')}
        autosize={false}
        rows={2}
        maxLength={1000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Checkbox
        label={t('Notify the people who were notified of it')}
        description={t('They were notified of a problem and wait for an answer.')}
        checked={notifies}
        onChange={(event) => setNotifies(event.currentTarget.checked)}
      />
      {isComplete && notifies && (
        // only of another reason do people read the note; each preview is noted in the audit log
        <Preview targets={seen} closing={{ reason, note: isOther ? text : undefined, notify: true }} />
      )}
    </FormDialog>
  );
}

/** The messages that the closing sends, as people get them. */
function Preview({ targets, closing }: { targets: readonly Target[]; closing: Closing }) {
  const [ids] = useState(() => targets.slice(0, MAX_BATCH).map(({ id }) => id));
  const [asked] = useDebouncedValue(closing, DEBOUNCE_MS);
  const { data, error } = useQuery({
    queryKey: ['closing-preview', ids, asked],
    queryFn: () => post<{ messages: ClosingMessage[] }>('/v1/alerts/close/preview', { ids, ...asked }),
    placeholderData: (before) => before,
  });
  if (error) return <p role="alert">{errorText(error)}</p>;
  if (!data) return <p>{t('Loading the messages…')}</p>;
  const { messages } = data;
  if (messages.length === 0 && targets.length === ids.length)
    return <p>{t('Nobody was notified of it, so nobody gets a message.')}</p>;
  return (
    <section aria-label={t('Preview')}>
      <p>
        {t('{{count, number}} messages', { count: messages.length })}
        {targets.length > ids.length &&
          ` (${t('of the first {{count, number}} alerts', { count: ids.length })})`}
        :
      </p>
      <ul className={classes['messages']}>
        {messages.map((message) => (
          <li key={`${message.alert_id} ${message.recipient} ${message.channel}`}>
            <p>
              {t('To {{addressee}}', { addressee: addresseeText(message) })}
              {message.address && ` (${message.address})`}
              {message.not_before && (
                <Trans
                  i18nKey=", after quiet hours at <at/>"
                  components={{ at: <Moment at={message.not_before} /> }}
                />
              )}
            </p>
            <pre>{message.text}</pre>
          </li>
        ))}
      </ul>
    </section>
  );
}
