import {
  Button,
  Checkbox,
  CloseButton,
  NumberInput,
  SegmentedControl,
  Select,
  TextInput,
} from '@mantine/core';
import { fieldError } from '../../../api/http.js';
import { type DayOfWeek, DAYS_OF_WEEK, type Schedule } from '../../../api/types.js';
import { ZONES } from '../../../time/all-zones.js';
import type { Draft } from './draft.js';
import classes from './ScheduleTab.module.css';

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

const NAMES: Record<DayOfWeek, string> = {
  mon: 'Mon',
  tue: 'Tue',
  wed: 'Wed',
  thu: 'Thu',
  fri: 'Fri',
  sat: 'Sat',
  sun: 'Sun',
};

/** On which days: of the week, and of a cycle. */
export function DayFields({ draft, wrong, set }: PartProps) {
  const toggle = (day: DayOfWeek, on: boolean): void =>
    set({ days: DAYS_OF_WEEK.filter((other) => (other === day ? on : draft.days.includes(other))) });
  return (
    <>
      <fieldset className={classes['group']}>
        <legend>On these days</legend>
        <div className={classes['days']}>
          {DAYS_OF_WEEK.map((day) => (
            <Checkbox
              key={day}
              label={NAMES[day]}
              checked={draft.days.includes(day)}
              onChange={(event) => toggle(day, event.currentTarget.checked)}
            />
          ))}
        </div>
        {wrong('days_of_week') && <p className={classes['error']}>{wrong('days_of_week')}</p>}
      </fieldset>
      <Checkbox
        label="Days on and days off"
        checked={draft.cycle}
        onChange={(event) => set({ cycle: event.currentTarget.checked })}
      />
      {draft.cycle && (
        <div className={classes['row']}>
          <NumberInput
            label="Days on"
            w={110}
            min={1}
            max={366}
            value={draft.daysOn}
            error={wrong('cycle.days_on')}
            onChange={(days) => set({ daysOn: Number(days) })}
          />
          <NumberInput
            label="Days off"
            w={110}
            min={1}
            max={366}
            value={draft.daysOff}
            error={wrong('cycle.days_off')}
            onChange={(days) => set({ daysOff: Number(days) })}
          />
          <TextInput
            type="date"
            label="First day on"
            value={draft.cycleFrom}
            error={wrong('cycle.anchor')}
            onChange={(event) => set({ cycleFrom: event.currentTarget.value })}
          />
        </div>
      )}
    </>
  );
}

interface TimesFieldProps {
  times: string[];
  error: string | undefined;
  onChange: (times: string[]) => void;
}

const MOST = 24;

/** The times of day at which a dose is due. */
export function TimesField({ times, error, onChange }: TimesFieldProps) {
  const replace = (index: number, time: string): void =>
    onChange(times.map((other, place) => (place === index ? time : other)));
  return (
    <fieldset className={classes['group']}>
      <legend>At these times</legend>
      <div className={classes['row']}>
        {times.map((time, index) => (
          <TextInput
            key={index}
            type="time"
            aria-label={`Time ${index + 1}`}
            required
            value={time}
            rightSectionPointerEvents="all"
            rightSection={
              times.length > 1 && (
                <CloseButton
                  size="sm"
                  aria-label={`Take away ${time}`}
                  onClick={() => onChange(times.filter((_, place) => place !== index))}
                />
              )
            }
            w={136}
            onChange={(event) => replace(index, event.currentTarget.value)}
          />
        ))}
        {times.length < MOST && (
          <Button variant="default" onClick={() => onChange([...times, nextTime(times)])}>
            Add a time
          </Button>
        )}
      </div>
      {error && <p className={classes['error']}>{error}</p>}
    </fieldset>
  );
}

/** Some hours after the last one. */
function nextTime(times: string[]): string {
  const last = Number(times.toSorted().at(-1)?.slice(0, 2) ?? 4);
  return `${String((last + 4) % 24).padStart(2, '0')}:00`;
}
