import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { alertKind } from '../../alert-kinds/alert-kinds.js';
import { get } from '../../api/request.js';
import type { AlarmQuality, AlarmQualityRow, Ratio } from '../../api/schema.js';
import { numberText, t } from '../../i18n/i18n.js';
import { now } from '../../time/clock.js';
import { DAY_MS, MINUTE_MS } from '../../time/durations.js';
import { CsvLink } from '../../ui/CsvLink.js';
import { type Column, Table } from '../../ui/List.js';
import { PageHead } from '../../ui/PageHead.js';
import { Empty, Pending } from '../../ui/States.js';

const route = getRouteApi('/alarm-quality');
/** Notifications are kept for 90 days; a minute less, so that the request is not too late. */
const SPAN_MS = 90 * DAY_MS - MINUTE_MS;
const PATH = '/v1/alarm-quality';

/** How many messages alerts cost, and how many of them were not so. */
export function AlarmQualityPage() {
  const { by = 'fleet' } = route.useSearch();
  const navigate = route.useNavigate();
  const from = (): string => new Date(now() - SPAN_MS).toISOString();
  const query = useQuery({
    queryKey: ['alarm-quality', by],
    queryFn: ({ signal }) => get<AlarmQuality>(PATH, { query: { from: from(), by }, signal }),
    placeholderData: (previous) => previous,
  });
  const { data } = query;
  return (
    <>
      <PageHead
        title={t('Alarm quality')}
        lead={t('Of the alerts of the last 90 days of which a message was sent.')}
      >
        <CsvLink path={PATH} query={{ from: from(), by }} name="alarm-quality" />
      </PageHead>
      <SegmentedControl
        aria-label={t('Group by')}
        size="xs"
        data={[
          { value: 'fleet', label: t('Fleet') },
          { value: 'medication', label: t('Medication') },
          { value: 'month', label: t('Month') },
        ]}
        value={by}
        onChange={(value) => void navigate({ search: { by: value } })}
      />
      {!data && <Pending query={query} />}
      {data &&
        (data.rows.length === 0 ? (
          <Empty title={t('No alerts in this period')} />
        ) : (
          <Table
            columns={by === 'fleet' ? FIGURES : [groupColumn(by), ...FIGURES]}
            rows={data.rows}
            rowKey={({ group, kind }) => `${group} ${kind}`}
          />
        ))}
    </>
  );
}

const groupColumn = (by: string): Column<AlarmQualityRow> => ({
  title: by === 'month' ? t('Month') : t('Medication'),
  cell: ({ group }) => (group === null || group === '' ? t('The fleet') : group),
});

const share = (name: string, of: (row: AlarmQualityRow) => Ratio): Column<AlarmQualityRow> => ({
  title: name,
  as: 'number',
  cell: (row) => {
    const { ratio } = of(row);
    return ratio === null ? '–' : `${Math.round(ratio * 100)} %`;
  },
});

const FIGURES: readonly Column<AlarmQualityRow>[] = [
  { title: t('Alert'), cell: ({ kind }) => alertKind(kind).label },
  { title: t('Alerts'), as: 'number', cell: ({ alerts }) => numberText(alerts) },
  {
    title: t('Messages per 1,000 bottle-days'),
    as: 'number',
    cell: ({ messages_per_1000_bottle_days: rate }) =>
      rate === null ? '–' : numberText(Math.round(rate * 10) / 10),
  },
  share(t('Retracted'), ({ retracted }) => retracted),
  share(t('Corrected'), ({ corrected }) => corrected),
  share(t('Reported otherwise'), ({ attested_otherwise }) => attested_otherwise),
  share(t('Closed as false'), ({ closed_as_false }) => closed_as_false),
  share(t('Acknowledged in time'), ({ acknowledged_in_time }) => acknowledged_in_time),
];
