import { Button, CloseButton, TextInput } from '@mantine/core';
import classes from './ScheduleTab.module.css';

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
