import { Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ifMatch, requestVersioned } from '../../../api/request.js';
import type { Bottle } from '../../../api/schema.js';
import type { Schedule } from '../../../api/vocabulary.js';
import { t } from '../../../i18n/i18n.js';
import { now } from '../../../time/clock.js';
import { FormDialog, useForm } from '../../../ui/Form.js';
import { notify } from '../../../ui/notify.js';
import { useBottle } from '../queries.js';
import { type Draft, draftOf, planOf, scheduleOf } from '../schedule/draft.js';
import { NextDoses } from '../schedule/NextDoses.js';
import { PlanChanges } from '../schedule/PlanChanges.js';
import { usePreview } from '../schedule/preview.js';
import { StepsFields } from '../schedule/StepsFields.js';
import { Warnings } from '../schedule/Warnings.js';

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
  const schedulesOf = (drafts: readonly Draft[]): Schedule[] =>
    drafts.map((draft) => scheduleOf(draft, time_zone));
  const { values, set, saving, text } = useForm<Fields, Bottle>({
    initial: { user_id: bottle.user_id, note: '', drafts: [] },
    save: ({ user_id, note, drafts }) =>
      requestVersioned<Bottle>('POST', `/v1/bottles/${bottle_id}/assign`, {
        body: { user_id, ...(note.trim() !== '' && { note }), ...planOf(schedulesOf(drafts)) },
        headers: ifMatch(version),
      }),
    onSaved: () => {
      notify(t('Bottle assigned.'));
      onClose();
    },
  });
  const { drafts } = values;
  const schedules = schedulesOf(drafts);
  const [schedule] = schedules;
  // what it had before has ended: its plan is like that of a new bottle
  const preview = usePreview('/v1/bottles/schedule/preview', schedule && { ...planOf(schedules), time_zone });
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
      <Switch
        label={t('Add a schedule')}
        checked={schedule !== undefined}
        onChange={(event) =>
          set({ drafts: event.currentTarget.checked ? [draftOf(undefined, time_zone, now())] : [] })
        }
      />
      {schedule && (
        <>
          <StepsFields
            drafts={drafts}
            bottleZone={time_zone}
            error={saving.error}
            onChange={(changed) => set({ drafts: changed })}
          />
          {drafts.length > 1 && (
            <PlanChanges
              before={{ current: null, coming: [] }}
              after={preview.error ? undefined : preview.data?.plan}
              savedNow={schedule.effective_from === undefined}
            />
          )}
          <Warnings warnings={preview.data?.warnings} />
          <NextDoses preview={preview} schedule={schedule} zone={schedule.time_zone ?? time_zone} />
        </>
      )}
    </FormDialog>
  );
}
