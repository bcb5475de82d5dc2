import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { post } from '../../../api/request.js';
import type { Move, MovePreview } from '../../../api/schema.js';
import { t } from '../../../i18n/i18n.js';
import { amountText, pluralOf } from '../../../i18n/pills.js';
import { now } from '../../../time/clock.js';
import { dayAndTime } from '../../../time/format.js';
import { FormError } from '../../../ui/Form.js';
import classes from './ManageTab.module.css';

export type DoseTimes = NonNullable<Move['dose_times']>;

/** The choice between the two ways. */
export function DoseTimesChoice({
  value,
  onChange,
}: {
  value: DoseTimes;
  onChange: (doseTimes: DoseTimes) => void;
}) {
  return (
    <SegmentedControl
      aria-label={t('Doses after the move')}
      size="xs"
      data={[
        { value: 'from_next_dose', label: t('From the next dose') },
        { value: 'keep_home_time', label: t('Keep home time') },
      ]}
      value={value}
      onChange={onChange}
    />
  );
}

interface MoveProps {
  bottleId: string;
  from: string;
  to: string;
  doseTimes: DoseTimes;
}

/** What a change of the time zone makes of the next doses of a bottle. */
export function MovedDoseList({ bottleId, from, to, doseTimes }: MoveProps) {
  const body: Move = { time_zone: to, dose_times: doseTimes };
  const { data, error } = useQuery({
    queryKey: ['bottle', bottleId, 'move', body],
    queryFn: () => post<MovePreview>(`/v1/bottles/${bottleId}/move/preview`, body),
    retry: false,
  });
  const zone = doseTimes === 'keep_home_time' ? from : to;
  const timeOf = (at: string, inZone: string): string => dayAndTime(Date.parse(at), inZone, now());
  return (
    <>
      <FormError error={error} />
      <ol aria-live="polite" className={classes['text']}>
        {data?.doses.map(({ was, is, pills }) => (
          <li key={is ?? was}>
            {was === null ? t('not due before') : timeOf(was, from)}
            {' → '}
            {is === null ? t('left out') : timeOf(is, zone)}{' '}
            {t('({{pills}} pills)', { count: pluralOf(pills), pills: amountText(pills) })}
          </li>
        ))}
      </ol>
    </>
  );
}

/** The same, with the choice between the two ways. */
export function MovedDoses({ onChange, ...move }: MoveProps & { onChange: (doseTimes: DoseTimes) => void }) {
  return (
    <fieldset>
      <legend>{t('Doses after the move')}</legend>
      <DoseTimesChoice value={move.doseTimes} onChange={onChange} />
      <MovedDoseList {...move} />
    </fieldset>
  );
}
