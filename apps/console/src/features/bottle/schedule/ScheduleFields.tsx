import { Button, Checkbox, CloseButton, NumberInput, SegmentedControl, TextInput } from '@mantine/core';
import { fieldError } from '../../../errors/error-text.js';
import { type DayOfWeek, DAYS_OF_WEEK, type Schedule } from '../../../api/vocabulary.js';
import { ZoneSelect } from '../../../time/ZoneSelect.js';
import { inputProps } from '../../../ui/Form.js';
import formClasses from '../../../ui/Form.module.css';
import { amountText } from '../../../i18n/pills.js';
import type { Draft, DraftTime } from './draft.js';
import { DAY_NAMES } from './schedule-text.js';
import classes from './ScheduleTab.module.css';
import { t } from '../../../i18n/i18n.js';

const KINDS: { value: Schedule['kind']; label: string }[] = [
  { value: 'times_of_day', label: t('Times of day') },
  { value: 'interval', label: t('Fixed interval') },
  { value: 'as_needed', label: t('As needed') },
];

/** What a schedule that does not say from when it applies does; `must_say`: it must. */
export type Begins = 'when_saved' | 'after_the_one_before' | 'must_say';

interface ScheduleFieldsProps {
  /** The field of the API, for its errors. */
  path: string;
  draft: Draft;
  bottleZone: string;
  begins: Begins;
  /** The server's error, if it rejected the schedule. */
  error: Error | null;
  onChange: (draft: Draft) => void;
}

/** The fields of a schedule of each kind. */
export function ScheduleFields({ path, draft, bottleZone, begins, error, onChange }: ScheduleFieldsProps) {
  const set = (change: Partial<Draft>): void => onChange({ ...draft, ...change });
  const errorOf = (field: string): string | undefined => fieldError(error, `${path}.${field}`);
  const props = inputProps(draft, set, errorOf);
  const { text, number } = props;
  const zone = draft.zone || bottleZone;
  return (
    <div className={formClasses['form']}>
      <SegmentedControl
        aria-label={t('Type of schedule')}
        data={KINDS}
        size="xs"
        value={draft.kind}
        onChange={(kind) => set({ kind })}
      />
      {draft.kind === 'times_of_day' && (
        <>
          <TimesField
            times={draft.times}
            pills={draft.pills}
            error={errorOf('times')}
            onChange={(times) => set({ times })}
          />
          <DayFields draft={draft} set={set} error={errorOf('days_of_week')} {...props} />
        </>
      )}
      {draft.kind === 'interval' && (
        <div className={classes['row']}>
          <TextInput
            label={t('Time between doses')}
            description={t('For example 8h, 1d')}
            w={220}
            required
            {...text('every')}
          />
          <TextInput type="datetime-local" label={t('First dose')} description={zone} {...text('anchor')} />
        </div>
      )}
      {draft.kind === 'as_needed' && (
        <div className={classes['row']}>
          <NumberInput
            label={t('Maximum doses in 24 hours')}
            w={220}
            min={1}
            max={100}
            {...number('maxPerDay', 'max_per_day')}
          />
          <TextInput
            label={t('Shortest time between doses')}
            description={t('For example 4h. Optional.')}
            w={220}
            {...text('minInterval', 'min_interval')}
          />
        </div>
      )}
      <NumberInput
        label={t('Pills per dose')}
        w={120}
        min={0.25}
        step={0.25}
        max={100}
        {...number('pills', 'pills_per_dose')}
      />
      {draft.kind !== 'as_needed' && (
        <fieldset className={classes['group']}>
          <legend>{t('Dose window (for example 30m, 2h)')}</legend>
          <div className={classes['row']}>
            <TextInput label={t('Can be taken early by')} w={150} {...text('early', 'early_window')} />
            <TextInput label={t('Late after')} w={150} {...text('late', 'late_after')} />
            <TextInput label={t('Missed after')} w={150} {...text('missed', 'missed_after')} />
          </div>
        </fieldset>
      )}
      <EndFields draft={draft} set={set} {...props} />
      <div className={classes['row']}>
        <ZoneSelect
          width={260}
          defaultLabel={t('Patient’s: {{zone}}', { zone: bottleZone })}
          {...text('zone', 'time_zone')}
        />
        <TextInput
          type="datetime-local"
          label={t('Effective from')}
          required={begins === 'must_say'}
          description={beginningText(begins, zone)}
          {...text('from', 'effective_from')}
        />
      </div>
    </div>
  );
}

function beginningText(begins: Begins, zone: string): string {
  switch (begins) {
    case 'must_say':
      return zone;
    case 'when_saved':
      return t('{{zone}}. Leave blank to start when saved.', { zone });
    case 'after_the_one_before':
      return t('{{zone}}. Leave blank to start when the step before has ended.', { zone });
  }
}

interface DayFieldsProps extends ReturnType<typeof inputProps<Draft>> {
  draft: Draft;
  error: string | undefined;
  set: (change: Partial<Draft>) => void;
}

/** The days of the week, and the cycle. */
function DayFields({ draft, error, set, text, number, toggle }: DayFieldsProps) {
  const choose = (day: DayOfWeek, on: boolean): void =>
    set({ days: DAYS_OF_WEEK.filter((other) => (other === day ? on : draft.days.includes(other))) });
  return (
    <>
      <fieldset className={classes['group']}>
        <legend>{t('Days')}</legend>
        <div className={classes['days']}>
          {DAYS_OF_WEEK.map((day) => (
            <Checkbox
              key={day}
              label={DAY_NAMES[day]}
              checked={draft.days.includes(day)}
              onChange={(event) => choose(day, event.currentTarget.checked)}
            />
          ))}
        </div>
        {error && <p className={classes['error']}>{error}</p>}
      </fieldset>
      <TextInput
        label={t('Days of the month')}
        description={t('For example 1, 15. In a month without the day, its last day. Optional.')}
        w={320}
        {...text('monthDays', 'days_of_month')}
      />
      <Checkbox label={t('Cycle of days on and days off')} {...toggle('cycle')} />
      {draft.cycle && (
        <div className={classes['row']}>
          <NumberInput
            label={t('Days on')}
            w={110}
            min={1}
            max={366}
            {...number('daysOn', 'cycle.days_on')}
          />
          <NumberInput
            label={t('Days off')}
            w={110}
            min={1}
            max={366}
            {...number('daysOff', 'cycle.days_off')}
          />
          <TextInput type="date" label={t('First day on')} {...text('cycleFrom', 'cycle.anchor')} />
        </div>
      )}
    </>
  );
}

interface EndFieldsProps extends ReturnType<typeof inputProps<Draft>> {
  draft: Draft;
  set: (change: Partial<Draft>) => void;
}

/** What ends the course. */
function EndFields({ draft, set, text, number }: EndFieldsProps) {
  const ends: { value: Draft['ends']; label: string }[] = [
    { value: 'never', label: t('No end') },
    { value: 'until', label: t('On a day') },
    ...(draft.kind === 'as_needed' ? [] : [{ value: 'doses' as const, label: t('After doses') }]),
  ];
  const shown = ends.some(({ value }) => value === draft.ends) ? draft.ends : 'never';
  return (
    <fieldset className={classes['group']}>
      <legend>{t('Ends')}</legend>
      <div className={classes['row']}>
        <SegmentedControl
          aria-label={t('Ends')}
          data={ends}
          size="xs"
          value={shown}
          onChange={(value) => set({ ends: value })}
        />
        {shown === 'until' && (
          <TextInput type="date" aria-label={t('Last day')} required {...text('until')} />
        )}
        {shown === 'doses' && (
          <NumberInput
            aria-label={t('Number of doses')}
            description={t('Counted from when it takes effect')}
            w={220}
            min={1}
            max={1_000}
            {...number('doses')}
          />
        )}
      </div>
    </fieldset>
  );
}

interface TimesFieldProps {
  times: DraftTime[];
  /** Of a time without an amount of its own. */
  pills: number;
  error: string | undefined;
  onChange: (times: DraftTime[]) => void;
}

const MAX_TIMES = 24;

/** The times of day at which a dose is due. */
function TimesField({ times, pills, error, onChange }: TimesFieldProps) {
  const replace = (index: number, change: Partial<DraftTime>): void =>
    onChange(times.map((other, place) => (place === index ? { ...other, ...change } : other)));
  return (
    <fieldset className={classes['group']}>
      <legend>{t('Times')}</legend>
      <div className={`${classes['row']} ${classes['times']}`}>
        {times.map((time, index) => (
          <div key={index} className={classes['time']}>
            <TextInput
              type="time"
              aria-label={t('Time {{number}}', { number: index + 1 })}
              required
              value={time.at}
              rightSectionPointerEvents="all"
              rightSection={
                times.length > 1 && (
                  <CloseButton
                    size="sm"
                    aria-label={t('Remove {{time}}', { time: time.at })}
                    onClick={() => onChange(times.filter((_, place) => place !== index))}
                  />
                )
              }
              w={152}
              onChange={(event) => replace(index, { at: event.currentTarget.value })}
            />
            <NumberInput
              aria-label={t('Pills at {{time}}', { time: time.at })}
              placeholder={amountText(pills)}
              w={90}
              min={0.25}
              step={0.25}
              max={100}
              value={time.pills}
              onChange={(given) => replace(index, { pills: given === '' ? '' : Number(given) })}
            />
          </div>
        ))}
        {times.length < MAX_TIMES && (
          <Button variant="default" onClick={() => onChange([...times, { at: nextTime(times), pills: '' }])}>
            {t('Add time')}
          </Button>
        )}
      </div>
      {error && <p className={classes['error']}>{error}</p>}
    </fieldset>
  );
}

/** Four hours after the last one. */
function nextTime(times: DraftTime[]): string {
  const last = Number(
    times
      .map(({ at }) => at)
      .toSorted()
      .at(-1)
      ?.slice(0, 2) ?? 4,
  );
  return `${String((last + 4) % 24).padStart(2, '0')}:00`;
}
