import { Button, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { post } from '../../../api/request.js';
import { useMay } from '../../../api/session.js';
import type { Attestor } from '../../../api/vocabulary.js';
import { t } from '../../../i18n/i18n.js';
import { amountText } from '../../../i18n/pills.js';
import { useNow } from '../../../time/clock.js';
import { dayAndTime } from '../../../time/format.js';
import { useZone } from '../../../time/Moment.js';
import { FormDialog, useForm } from '../../../ui/Form.js';
import { notify } from '../../../ui/notify.js';
import { AttestedBy } from './AttestedBy.js';
import { StatementHistory } from './StatementHistory.js';

interface NoDoseProps {
  bottleId: string;
  removedAt: string;
  pills: number;
}

/** Records that pills which were removed were no dose, and shows what was recorded about them. */
export function NoDose(props: NoDoseProps) {
  const [isOpen, setOpen] = useState(false);
  const [zone, present] = [useZone(), useNow()];
  const time = dayAndTime(Date.parse(props.removedAt), zone, present);
  if (!useMay('support')) return null;
  return (
    <>
      <Button
        size="compact-xs"
        variant="subtle"
        aria-label={t('The pills of {{time}} were no dose', { time })}
        onClick={() => setOpen(true)}
      >
        {t('No dose…')}
      </Button>
      {isOpen && (
        <NoDoseDialog
          {...props}
          title={t('The pills of {{time}} were no dose', { time })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

interface Draft {
  pills: number | '';
  attested_by: Attestor;
  note: string;
}

function NoDoseDialog({
  bottleId,
  removedAt,
  pills,
  title,
  onClose,
}: NoDoseProps & { title: string; onClose: () => void }) {
  const initial: Draft = { pills, attested_by: 'user', note: '' };
  const { values, set, saving, number, errorOf } = useForm({
    initial,
    save: ({ note, ...draft }, key) =>
      post(
        `/v1/bottles/${bottleId}/attestations/no-dose`,
        { removed_at: removedAt, ...draft, ...(note.trim() !== '' && { note: note.trim() }) },
        key,
      ),
    onSaved: () => {
      notify(t('Recorded.'));
      onClose();
    },
  });
  return (
    <FormDialog
      title={title}
      action={t('Record')}
      saving={saving}
      disabled={values.pills === ''}
      onClose={onClose}
    >
      <p>
        {t(
          'Somebody else opened the bottle, for example. No outcome changes: the pills do not count among the days with the prescribed amount as people report them.',
        )}
      </p>
      <StatementHistory bottleId={bottleId} scheduledAt={removedAt} attestedBy={values.attested_by} />
      <NumberInput
        label={t('Pills that were no dose')}
        description={t('Removed: {{pills}}', { pills: amountText(pills) })}
        w={220}
        required
        min={0.25}
        step={0.25}
        max={1_000}
        {...number('pills')}
        data-autofocus
      />
      <AttestedBy values={values} set={set} error={errorOf('note')} />
    </FormDialog>
  );
}
