import { Button, TextInput } from '@mantine/core';
import type { EscalationStep } from '../../../api/schema.js';
import { durationText } from '../schedule/schedule-text.js';
import classes from './Contacts.module.css';
import { t } from '../../../i18n/i18n.js';

interface ReminderFieldsProps {
  label: string;
  remind: string;
  error: string | undefined;
  onChange: (step: EscalationStep) => void;
  onRemove: () => void;
}

/** A step that reminds the user of a dose that is not taken. */
export function ReminderFields({ label, remind, error, onChange, onRemove }: ReminderFieldsProps) {
  return (
    <fieldset className={`${classes['row']} ${classes['step']}`} aria-label={label}>
      <TextInput
        label={t('Remind the user of a dose')}
        description={t('From its time, for example -10m, 0m, 20m; only while it is not taken, and not late')}
        w={300}
        value={remind}
        error={error}
        onChange={(event) => onChange({ remind: event.currentTarget.value.trim(), to: 'user' })}
      />
      <Button variant="subtle" color="gray" mt={24} onClick={onRemove}>
        {t('Remove')}
      </Button>
    </fieldset>
  );
}

/** `10 min before the time of a dose that is not taken: the user` */
export function reminderText(remind: string): string {
  const span = durationText(remind.replace('-', ''));
  if (/^-?0/.test(remind)) return t('At the time of a dose that is not taken: the user is reminded');
  return remind.startsWith('-')
    ? t('{{span}} before the time of a dose that is not taken: the user is reminded', { span })
    : t('{{span}} after the time of a dose that is not taken: the user is reminded', { span });
}
