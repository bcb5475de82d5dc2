import { Checkbox, NumberInput, TextInput } from '@mantine/core';
import { type DayOfWeek, DAYS_OF_WEEK } from '../../../api/types/schedule.js';
import type { PartProps } from './ScheduleFields.js';
import classes from './ScheduleTab.module.css';

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
