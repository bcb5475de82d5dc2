import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { ifMatch, requestVersioned } from '../../../api/request.js';
import type { Bottle } from '../../../api/schema.js';
import { t } from '../../../i18n/i18n.js';
import { FormDialog, useForm } from '../../../ui/Form.js';
import { notify } from '../../../ui/notify.js';
import { useBottle } from '../queries.js';
import { type Draft, planOf } from '../schedule/draft.js';
import { NewPlanFields, schedulesOf, useNewPlan } from '../schedule/NewPlan.js';
import { NextDoses } from '../schedule/NextDoses.js';

interface Fields {
  user_id: string;
  note: string;
  /** The steps of the plan; none if no schedule is added. */
  drafts: Draft[];
}

/** Gives a stored or retired bottle to a person, with a plan or without one. */
export function AssignDialog({ onClose }: { onClose: () => void }) {
  const bottle = useBottle();
  // as it was when the dialog was opened
  const [{ bottle_id, time_zone, version }] = useState(bottle);
  const { values, set, saving, text } = useForm<Fields, Bottle>({
    initial: { user_id: bottle.user_id, note: '', drafts: [] },
    save: ({ user_id, note, drafts }) =>
      requestVersioned<Bottle>('POST', `/v1/bottles/${bottle_id}/assign`, {
        body: { user_id, ...(note.trim() !== '' && { note }), ...planOf(schedulesOf(drafts, time_zone)) },
        headers: ifMatch(version),
      }),
    onSaved: () => {
      notify(t('Bottle assigned.'));
      onClose();
    },
  });
  const { drafts } = values;
  // what it had before has ended: its plan is like that of a new bottle
  const plan = useNewPlan(drafts, time_zone);
  const [schedule] = plan.schedules;
  return (
    <FormDialog title={t('Assign this bottle?')} action={t('Assign')} saving={saving} onClose={onClose}>
      <p>
        {t(
          'It is in use again, with the schedule that you add here, or with none until you set one. The one of before does not come back.',
        )}
      </p>
      <TextInput label={t('User ID')} required maxLength={200} {...text('user_id')} data-autofocus />
      <TextInput
        label={t('Note')}
        description={t('Optional; staff read it.')}
        maxLength={500}
        {...text('note')}
      />
      <NewPlanFields
        plan={plan}
        drafts={drafts}
        zone={time_zone}
        error={saving.error}
        onChange={(changed) => set({ drafts: changed })}
      />
      {schedule && (
        <NextDoses preview={plan.preview} schedule={schedule} zone={schedule.time_zone ?? time_zone} />
      )}
    </FormDialog>
  );
}
