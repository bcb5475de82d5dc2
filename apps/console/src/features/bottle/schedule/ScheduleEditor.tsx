import { Button, Checkbox } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ifMatch, request, requestVersioned } from '../../../api/request.js';
import type { Bottle, ScheduleVersion } from '../../../api/schema.js';
import type { Schedule } from '../../../api/vocabulary.js';
import { queries } from '../../../app/services.js';
import { t } from '../../../i18n/i18n.js';
import { localInput } from '../../../time/calendar.js';
import { now, useNow } from '../../../time/clock.js';
import { Conflict } from '../../../ui/conflict/Conflict.js';
import { Form, FormError } from '../../../ui/Form.js';
import { notify } from '../../../ui/notify.js';
import { Panel } from '../../../ui/Panel.js';
import { Unsaved } from '../../../ui/Unsaved.js';
import { useBottle } from '../queries.js';
import { type Draft, draftOf, planOf, scheduleOf } from './draft.js';
import { NextDoses } from './NextDoses.js';
import { PlanChanges } from './PlanChanges.js';
import { usePreview } from './preview.js';
import classes from './ScheduleTab.module.css';
import { StepsFields } from './StepsFields.js';
import { Warnings } from './Warnings.js';

/** A step that is edited, or a new one, which may begin like another. */
export type Edited =
  | { kind: 'current' | 'planned'; step: ScheduleVersion }
  | { kind: 'new'; like?: ScheduleVersion };

const TITLES: Record<Edited['kind'], string> = {
  current: t('Change the current step'),
  planned: t('Change a planned step'),
  new: t('New step'),
};

interface ScheduleEditorProps {
  edited: Edited;
  onClose: () => void;
}

/**
 * Edits a step of the plan, or several new ones, beside a preview of the doses, and says what saving changes. Past doses
 * keep their outcomes. What somebody else changes meanwhile stays.
 */
export function ScheduleEditor({ edited, onClose }: ScheduleEditorProps) {
  const {
    bottle_id,
    time_zone,
    schedule: current,
    doses_left,
    coming_schedules: coming,
    version: latest,
  } = useBottle();
  const [version] = useState(latest);
  const [initial] = useState<Draft>(() => initialDraft(edited, time_zone, doses_left));
  const [drafts, setDrafts] = useState([initial]);
  const [dropsLater, setDropsLater] = useState(false);
  const isFirst = !current && coming.length === 0;
  const schedules = drafts.map((draft) => scheduleIn(edited, draft, initial, time_zone));
  const schedule = schedules[0]!;
  const present = useNow();
  const begins = Math.max(present, Date.parse(schedule.effective_from ?? '') || present);
  const later = laterSteps(coming, begins, edited);
  const body = {
    ...planOf(schedules),
    ...(edited.kind === 'planned' && { replaces: edited.step.effective_from }),
    ...(dropsLater && later > 0 && { replaces_later: true }),
  };
  const path = `/v1/bottles/${bottle_id}/schedule`;
  const preview = usePreview(`${path}/preview`, body, latest);
  const save = useMutation({
    mutationFn: (sent: { body: typeof body; version: string | undefined }) =>
      request('PUT', path, { body: sent.body, headers: ifMatch(sent.version) }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['bottle', bottle_id] });
      notify(t('Schedule saved.'));
      onClose();
    },
  });
  return (
    <Form onSubmit={() => save.mutate({ body, version })} className={classes['editor']}>
      {(dropsLater || JSON.stringify(drafts) !== JSON.stringify([initial])) && (
        <Unsaved text={t('The changes of the schedule are not saved.')} />
      )}
      <Panel title={isFirst ? t('New schedule') : TITLES[edited.kind]}>
        <div className={classes['drafts']}>
          <StepsFields
            drafts={drafts}
            bottleZone={time_zone}
            needsBeginning={edited.kind === 'new' && !isFirst}
            canAdd={edited.kind !== 'planned'}
            error={save.error}
            onChange={setDrafts}
          />
        </div>
        {later > 0 && (
          <Checkbox
            mt={16}
            label={t('Also remove the {{count, number}} later steps', { count: later })}
            checked={dropsLater}
            onChange={(event) => setDropsLater(event.currentTarget.checked)}
          />
        )}
        {(!isFirst || drafts.length > 1) && (
          <PlanChanges
            before={{ current, coming }}
            after={preview.error ? undefined : preview.data?.plan}
            savedNow={begins === present}
          />
        )}
        <Warnings warnings={preview.data?.warnings} zone={time_zone} />
        <FormError error={save.error} />
        <Conflict
          error={save.error}
          base={scheduleIn(edited, initial, initial, time_zone)}
          mine={schedule}
          read={async () => {
            const bottle = await requestVersioned<Bottle>('GET', `/v1/bottles/${bottle_id}`);
            const theirs = initialDraft(stepNow(edited, bottle), time_zone, bottle.doses_left);
            const value = scheduleIn(edited, { ...theirs, from: initial.from }, initial, time_zone);
            return { value, version: bottle.version };
          }}
          isSaving={save.isPending}
          onSave={(merged, now) =>
            save.mutate({ body: { ...body, ...planOf([merged, ...schedules.slice(1)]) }, version: now })
          }
        />
        <div className={classes['row']} style={{ marginTop: 20 }}>
          <Button type="submit" loading={save.isPending}>
            {t('Save schedule')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
        </div>
      </Panel>
      <NextDoses preview={preview} schedule={schedule} zone={schedule.time_zone ?? time_zone} />
    </Form>
  );
}

/** The edited step as it is stored now; one that was replaced or removed is what it was. A new one is nobody else's. */
function stepNow(edited: Edited, { schedule, coming_schedules }: Bottle): Edited {
  if (edited.kind === 'new') return edited;
  const planned = coming_schedules.find(
    ({ effective_from }) => effective_from === edited.step.effective_from,
  );
  return { ...edited, step: (edited.kind === 'planned' ? planned : schedule) ?? edited.step };
}

/** @param dosesLeft of the current step, which begins anew when it is saved: its course goes on */
function initialDraft(edited: Edited, bottleZone: string, dosesLeft: number | null): Draft {
  const from = edited.kind === 'new' ? edited.like : edited.step;
  const draft = draftOf(from?.schedule, bottleZone, now());
  // of a course that is over, a new one is as long
  if (edited.kind === 'current' && dosesLeft) return { ...draft, doses: dosesLeft };
  if (edited.kind !== 'planned') return draft;
  const { effective_from, time_zone } = edited.step;
  return { ...draft, from: localInput(Date.parse(effective_from), time_zone) };
}

/** The schedule of the draft. A beginning that nobody has changed stays what it is, to the second. */
function scheduleIn(edited: Edited, draft: Draft, initial: Draft, bottleZone: string): Schedule {
  const schedule = scheduleOf(draft, bottleZone);
  const isKept = draft.from === initial.from && draft.zone === initial.zone;
  return edited.kind === 'planned' && isKept
    ? { ...schedule, effective_from: edited.step.effective_from }
    : schedule;
}

/** How many steps begin after the edited one. */
function laterSteps(coming: readonly ScheduleVersion[], begins: number, edited: Edited): number {
  const itself = edited.kind === 'planned' ? edited.step.effective_from : undefined;
  return coming.filter(
    ({ effective_from }) => Date.parse(effective_from) > begins && effective_from !== itself,
  ).length;
}
