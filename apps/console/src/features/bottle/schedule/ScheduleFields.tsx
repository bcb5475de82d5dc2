import { NumberInput, SegmentedControl, Select, TextInput } from '@mantine/core';
import { fieldError } from '../../../api/problem.js';
import type { Schedule } from '../../../api/types/schedule.js';
import { ZONES } from '../../../time/all-zones.js';
import { DayFields } from './DayFields.js';
import type { Draft } from './draft.js';
import classes from './ScheduleTab.module.css';
import { TimesField } from './TimesField.js';

const KINDS: { value: Schedule['kind']; label: string }[] = [
  { value: 'times_of_day', label: 'At times of day' },
  { value: 'interval', label: 'Every few hours' },
  { value: 'as_needed', label: 'As needed' },
];

interface ScheduleFieldsProps {
  draft: Draft;
  bottleZone: string;
  /** What the server said of it, if it refused it. */
  error: Error | null;
  onChange: (draft: Draft) => void;
}

/** The fields of a schedule: those of its kind, and what all kinds have. */
export function ScheduleFields({ draft, bottleZone, error, onChange }: ScheduleFieldsProps) {
  const set = (change: Partial<Draft>): void => onChange({ ...draft, ...change });
  const wrong = (field: string): string | undefined => fieldError(error, `schedule.${field}`);
  return (
    <div className={classes['form']}>
      <SegmentedControl
        aria-label="Kind of schedule"
        data={KINDS}
        size="xs"
        value={draft.kind}
        onChange={(kind) => set({ kind })}
      />
      {draft.kind === 'times_of_day' && (
        <>
          <TimesField times={draft.times} error={wrong('times')} onChange={(times) => set({ times })} />
          <DayFields draft={draft} wrong={wrong} set={set} />
        </>
      )}
      {draft.kind === 'interval' && (
        <div className={classes['row']}>
          <NumberInput
            label="Hours from one dose to the next"
            w={220}
            min={1}
            max={8784}
            value={draft.everyHours}
            error={wrong('every')}
            onChange={(hours) => set({ everyHours: Number(hours) })}
          />
          <TextInput
            type="datetime-local"
            label={`First dose, in the time of ${draft.zone || bottleZone}`}
            value={draft.anchor}
            error={wrong('anchor')}
            onChange={(event) => set({ anchor: event.currentTarget.value })}
          />
        </div>
      )}
      {draft.kind === 'as_needed' && (
        <NumberInput
          label="Doses a day, at most"
          w={180}
          min={1}
          max={100}
          value={draft.maxPerDay}
          error={wrong('max_per_day')}
          onChange={(most) => set({ maxPerDay: Number(most) })}
        />
      )}
      <NumberInput
        label="Pills a dose"
        w={120}
        min={1}
        max={100}
        value={draft.pills}
        error={wrong('pills_per_dose')}
        onChange={(pills) => set({ pills: Number(pills) })}
      />
      {draft.kind !== 'as_needed' && <Windows draft={draft} wrong={wrong} set={set} />}
      <div className={classes['row']}>
        <Select
          label="Time zone"
          w={260}
          searchable
          data={[{ value: '', label: `The bottle’s: ${bottleZone}` }, ...ZONES]}
          value={draft.zone}
          error={wrong('time_zone')}
          onChange={(zone) => set({ zone: zone ?? '' })}
        />
        <TextInput
          type="datetime-local"
          label={`Holds from, in the time of ${draft.zone || bottleZone}`}
          description="Left empty: from when it is saved"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={draft.from}
          error={wrong('effective_from')}
          onChange={(event) => set({ from: event.currentTarget.value })}
        />
      </div>
    </div>
  );
}

export interface PartProps {
  draft: Draft;
  wrong: (field: string) => string | undefined;
  set: (change: Partial<Draft>) => void;
}

function Windows({ draft, wrong, set }: PartProps) {
  return (
    <fieldset className={classes['group']}>
      <legend>Around each dose (such as 30m, 2h)</legend>
      <div className={classes['row']}>
        <TextInput
          label="Counts from, before"
          w={150}
          value={draft.early}
          error={wrong('early_window')}
          onChange={(event) => set({ early: event.currentTarget.value.trim() })}
        />
        <TextInput
          label="Late after"
          w={120}
          value={draft.late}
          error={wrong('late_after')}
          onChange={(event) => set({ late: event.currentTarget.value.trim() })}
        />
        <TextInput
          label="Missed after"
          w={120}
          value={draft.missed}
          error={wrong('missed_after')}
          onChange={(event) => set({ missed: event.currentTarget.value.trim() })}
        />
      </div>
    </fieldset>
  );
}
