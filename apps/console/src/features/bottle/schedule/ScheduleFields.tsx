import {
  Button,
  Checkbox,
  CloseButton,
  NumberInput,
  SegmentedControl,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { fieldError } from '../../../api/http.js';
import { type DayOfWeek, DAYS_OF_WEEK, type Schedule } from '../../../api/types.js';
import { ZoneSelect } from '../../../time/ZoneSelect.js';
import formClasses from '../../../ui/Form.module.css';
import type { Draft } from './draft.js';
import { DAY_NAMES } from './schedule-text.js';
import classes from './ScheduleTab.module.css';

const KINDS: { value: Schedule['kind']; label: string }[] = [
  { value: 'times_of_day', label: 'Times of day' },
  { value: 'interval', label: 'Fixed interval' },
  { value: 'as_needed', label: 'As needed' },
];

interface ScheduleFieldsProps {
  draft: Draft;
  bottleZone: string;
  /** The server's error, if it rejected the schedule. */
  error: Error | null;
  onChange: (draft: Draft) => void;
}

/** The fields of a schedule of each kind. */
export function ScheduleFields({ draft, bottleZone, error, onChange }: ScheduleFieldsProps) {
  const set = (change: Partial<Draft>): void => onChange({ ...draft, ...change });
  const errorOf = (field: string): string | undefined => fieldError(error, `schedule.${field}`);
  const part = { draft, errorOf, set };
  const zone = draft.zone || bottleZone;
  return (
    <div className={formClasses['form']}>
      <SegmentedControl
        aria-label="Type of schedule"
        data={KINDS}
        size="xs"
        value={draft.kind}
        onChange={(kind) => set({ kind })}
      />
      {draft.kind === 'times_of_day' && (
        <>
          <TimesField times={draft.times} error={errorOf('times')} onChange={(times) => set({ times })} />
          <DayFields {...part} />
        </>
      )}
      {draft.kind === 'interval' && (
        <div className={classes['row']}>
          <NumberInput
            label="Hours between doses"
            w={220}
            min={1}
            max={8784}
            value={draft.everyHours}
            error={errorOf('every')}
            onChange={(hours) => set({ everyHours: Number(hours) })}
          />
          <TextInput
            type="datetime-local"
            label="First dose"
            description={zone}
            value={draft.anchor}
            error={errorOf('anchor')}
            onChange={(event) => set({ anchor: event.currentTarget.value })}
          />
        </div>
      )}
      {draft.kind === 'as_needed' && (
        <NumberInput
          label="Maximum doses per day"
          w={180}
          min={1}
          max={100}
          value={draft.maxPerDay}
          error={errorOf('max_per_day')}
          onChange={(most) => set({ maxPerDay: Number(most) })}
        />
      )}
      <NumberInput
        label="Pills per dose"
        w={120}
        min={1}
        max={100}
        value={draft.pills}
        error={errorOf('pills_per_dose')}
        onChange={(pills) => set({ pills: Number(pills) })}
      />
      {draft.kind !== 'as_needed' && <WindowFields {...part} />}
      <div className={classes['row']}>
        <ZoneSelect
          width={260}
          defaultLabel={`Patient’s: ${bottleZone}`}
          zone={draft.zone}
          error={errorOf('time_zone')}
          onChange={(value) => set({ zone: value })}
        />
        <TextInput
          type="datetime-local"
          label="Effective from"
          description={`${zone}. Leave blank to start when saved.`}
          value={draft.from}
          error={errorOf('effective_from')}
          onChange={(event) => set({ from: event.currentTarget.value })}
        />
      </div>
    </div>
  );
}

interface PartProps {
  draft: Draft;
  errorOf: (field: string) => string | undefined;
  set: (change: Partial<Draft>) => void;
}

function WindowFields({ draft, errorOf, set }: PartProps) {
  const input = (label: string, key: 'early' | 'late' | 'missed', field: string): TextInputProps => ({
    label,
    w: 150,
    value: draft[key],
    error: errorOf(field),
    onChange: (event) => set({ [key]: event.currentTarget.value.trim() }),
  });
  return (
    <fieldset className={classes['group']}>
      <legend>Dose window (for example 30m, 2h)</legend>
      <div className={classes['row']}>
        <TextInput {...input('Can be taken early by', 'early', 'early_window')} />
        <TextInput {...input('Late after', 'late', 'late_after')} />
        <TextInput {...input('Missed after', 'missed', 'missed_after')} />
      </div>
    </fieldset>
  );
}

/** The days of the week, and the cycle. */
function DayFields({ draft, errorOf, set }: PartProps) {
  const toggle = (day: DayOfWeek, on: boolean): void =>
    set({ days: DAYS_OF_WEEK.filter((other) => (other === day ? on : draft.days.includes(other))) });
  return (
    <>
      <fieldset className={classes['group']}>
        <legend>Days</legend>
        <div className={classes['days']}>
          {DAYS_OF_WEEK.map((day) => (
            <Checkbox
              key={day}
              label={DAY_NAMES[day]}
              checked={draft.days.includes(day)}
              onChange={(event) => toggle(day, event.currentTarget.checked)}
            />
          ))}
        </div>
        {errorOf('days_of_week') && <p className={classes['error']}>{errorOf('days_of_week')}</p>}
      </fieldset>
      <Checkbox
        label="Cycle of days on and days off"
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
            error={errorOf('cycle.days_on')}
            onChange={(days) => set({ daysOn: Number(days) })}
          />
          <NumberInput
            label="Days off"
            w={110}
            min={1}
            max={366}
            value={draft.daysOff}
            error={errorOf('cycle.days_off')}
            onChange={(days) => set({ daysOff: Number(days) })}
          />
          <TextInput
            type="date"
            label="First day on"
            value={draft.cycleFrom}
            error={errorOf('cycle.anchor')}
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

const MAX_TIMES = 24;

/** The times of day at which a dose is due. */
function TimesField({ times, error, onChange }: TimesFieldProps) {
  const replace = (index: number, time: string): void =>
    onChange(times.map((other, place) => (place === index ? time : other)));
  return (
    <fieldset className={classes['group']}>
      <legend>Times</legend>
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
                  aria-label={`Remove ${time}`}
                  onClick={() => onChange(times.filter((_, place) => place !== index))}
                />
              )
            }
            w={136}
            onChange={(event) => replace(index, event.currentTarget.value)}
          />
        ))}
        {times.length < MAX_TIMES && (
          <Button variant="default" onClick={() => onChange([...times, nextTime(times)])}>
            Add time
          </Button>
        )}
      </div>
      {error && <p className={classes['error']}>{error}</p>}
    </fieldset>
  );
}

/** Four hours after the last one. */
function nextTime(times: string[]): string {
  const last = Number(times.toSorted().at(-1)?.slice(0, 2) ?? 4);
  return `${String((last + 4) % 24).padStart(2, '0')}:00`;
}
