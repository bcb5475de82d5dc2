import { Switch } from '@mantine/core';
import type { Schedule } from '../../../api/vocabulary.js';
import { t } from '../../../i18n/i18n.js';
import { now } from '../../../time/clock.js';
import { type Draft, draftOf, planOf, scheduleOf } from './draft.js';
import { PlanChanges } from './PlanChanges.js';
import { usePreview } from './preview.js';
import { StepsFields } from './StepsFields.js';
import { Warnings } from './Warnings.js';

/** The plan that a form makes of its drafts. */
interface NewPlan {
  schedules: Schedule[];
  preview: ReturnType<typeof usePreview>;
}

/** The steps as the API takes them. */
export const schedulesOf = (drafts: readonly Draft[], zone: string): Schedule[] =>
  drafts.map((draft) => scheduleOf(draft, zone));

/** The plan of a bottle that has none, and what it would be. @param drafts its steps; none without a schedule */
export function useNewPlan(drafts: readonly Draft[], zone: string): NewPlan {
  const schedules = schedulesOf(drafts, zone);
  const preview = usePreview(
    '/v1/bottles/schedule/preview',
    schedules.length === 0 ? undefined : { ...planOf(schedules), time_zone: zone },
  );
  return { schedules, preview };
}

interface NewPlanFieldsProps {
  plan: NewPlan;
  drafts: readonly Draft[];
  zone: string;
  /** Of the last attempt to save. */
  error: Error | null;
  onChange: (drafts: Draft[]) => void;
}

/** Adds a schedule of one or more steps. */
export function NewPlanFields({
  plan: { schedules, preview },
  drafts,
  zone,
  error,
  onChange,
}: NewPlanFieldsProps) {
  const [first] = schedules;
  return (
    <>
      <Switch
        label={t('Add a schedule')}
        checked={first !== undefined}
        onChange={(event) => onChange(event.currentTarget.checked ? [draftOf(undefined, zone, now())] : [])}
      />
      {first && (
        <>
          <StepsFields drafts={drafts} bottleZone={zone} error={error} onChange={onChange} />
          {drafts.length > 1 && (
            <PlanChanges
              before={{ current: null, coming: [] }}
              after={preview.error ? undefined : preview.data?.plan}
              savedNow={first.effective_from === undefined}
            />
          )}
          <Warnings warnings={preview.data?.warnings} zone={zone} />
        </>
      )}
    </>
  );
}
