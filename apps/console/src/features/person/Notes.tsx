import { Button, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Trans } from 'react-i18next';
import { post, remove } from '../../api/request.js';
import { useMay } from '../../api/session.js';
import type { Note, PersonsBottle } from '../../api/schema.js';
import { Moment } from '../../time/Moment.js';
import { Confirmed } from '../../ui/Confirmed.js';
import { Form, FormError, useForm } from '../../ui/Form.js';
import { notify, notifyError } from '../../ui/notify.js';
import { Panel } from '../../ui/Panel.js';
import { Unsaved } from '../../ui/Unsaved.js';
import classes from './Notes.module.css';
import { personPath } from './queries.js';
import { t } from '../../i18n/i18n.js';

interface NotesProps {
  /** Where a note is added. */
  path: string;
  userId: string;
  notes: readonly Note[];
  bottles: readonly Pick<PersonsBottle, 'bottle_id' | 'medication'>[];
}

/** Notes of staff about a person and their bottles, newest first. */
export function Notes({ path, userId, notes, bottles }: NotesProps) {
  const isSupport = useMay('support');
  const nameOf = new Map(bottles.map(({ bottle_id, medication }) => [bottle_id, medication]));
  return (
    <Panel title={t('Notes')} aside={t('for staff')}>
      {isSupport && <AddNote path={path} />}
      {notes.length === 0 && <p className={classes['when']}>{t('No notes yet.')}</p>}
      <ul className={classes['notes']}>
        {notes.map(({ id, bottle_id, text, by, at }) => (
          <li key={id}>
            <p className={classes['text']}>{text}</p>
            <p className={classes['when']}>
              {by}, <Moment at={at} />
              {bottle_id !== null && ` · ${nameOf.get(bottle_id) ?? t('former bottle')}`}
              {isSupport && <DeleteNote path={`${personPath(userId)}/notes/${id}`} />}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Adds a note. @param field of the request that has the text */
export function AddNote({ path, field = 'text' }: { path: string; field?: 'text' | 'note' }) {
  const { values, set, saving, text } = useForm({
    initial: { text: '' },
    save: (entered, key) => post(path, { [field]: entered.text.trim() }, key),
    onSaved: () => {
      set({ text: '' });
      notify(t('Note added.'));
    },
  });
  const { onChange: _input, ...given } = text('text', field);
  return (
    <Form onSubmit={() => saving.mutate()} label={t('Add a note')} className={classes['form']}>
      <Textarea
        aria-label={t('Note')}
        placeholder={t('Add a note')}
        rows={2}
        maxLength={field === 'note' ? 1000 : 2000}
        {...given}
        onChange={(event) => set({ text: event.currentTarget.value })}
      />
      {values.text.trim() !== '' && <Unsaved text={t('The note is not saved.')} />}
      <FormError error={saving.error} />
      <Button type="submit" variant="default" loading={saving.isPending} disabled={values.text.trim() === ''}>
        {t('Add note')}
      </Button>
    </Form>
  );
}

function DeleteNote({ path }: { path: string }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => remove(path),
    onSuccess: () => notify(t('Note deleted.')),
    onError: notifyError,
  });
  return (
    <Confirmed
      label={
        <Trans
          i18nKey="Delete<hidden> note</hidden>"
          components={{ hidden: <span className="visually-hidden" /> }}
        />
      }
      action={t('Delete the note')}
      variant="subtle"
      color="gray"
      size="compact-xs"
      pending={isPending}
      onConfirm={() => mutate()}
    />
  );
}
