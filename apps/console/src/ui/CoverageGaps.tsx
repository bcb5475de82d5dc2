import { useQuery } from '@tanstack/react-query';
import { get } from '../api/request.js';
import type { CoverageGap } from '../api/schema.js';
import { Moment, Period } from '../time/Moment.js';
import { type Range, rangeQuery } from './chart/range.js';
import { Trans } from 'react-i18next';
import { t } from '../i18n/i18n.js';

/** Earlier than any data. */
export const EARLIEST = '2024-01-01T00:00:00Z';

const TEXTS: Record<CoverageGap['part'], string> = {
  'device-api': t('We could not receive reports'),
  notifier: t('No checks ran'),
};

interface CoverageGapsProps {
  /** The time that the page shows. */
  range: Range;
  /** The earliest time, for the range `All`. */
  beginning?: string;
  /** Of one part only. */
  part?: CoverageGap['part'];
}

const NO_GAPS: readonly CoverageGap[] = [];

/** The coverage gaps of a time. @param beginning the earliest time, for the range `All` */
export function useCoverageGaps(range: Range, beginning: string): readonly CoverageGap[] {
  const { data } = useQuery({
    queryKey: ['coverage-gaps', range, beginning],
    queryFn: ({ signal }) =>
      get<{ items: CoverageGap[] }>('/v1/fleet/coverage-gaps', {
        query: rangeQuery(range, beginning),
        signal,
      }),
  });
  return data?.items ?? NO_GAPS;
}

/** The coverage gaps of a time, one line each, newest first; nothing if there are none. */
export function CoverageGaps({ range, beginning = EARLIEST, part }: CoverageGapsProps) {
  const gaps = useCoverageGaps(range, beginning).filter((gap) => part === undefined || gap.part === part);
  if (gaps.length === 0) return null;
  return (
    <ul aria-label={t('Coverage gaps')}>
      {gaps.map((gap) => (
        <li key={`${gap.part} ${gap.from}`}>
          {TEXTS[gap.part]}:{' '}
          {gap.until === null ? (
            <Trans i18nKey="<from/> to now" components={{ from: <Moment at={gap.from} /> }} />
          ) : (
            <Period from={gap.from} to={gap.until} />
          )}
          {gap.doses !== null &&
            gap.doses > 0 &&
            part === undefined &&
            ` · ${t('{{count, number}} doses due', { count: gap.doses })}`}
        </li>
      ))}
    </ul>
  );
}
