import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/request.js';
import type { MedicationAdherence, PersonsAdherence } from '../../api/schema.js';
import { now } from '../../time/clock.js';
import { DAY_MS } from '../../time/durations.js';
import { Moment } from '../../time/Moment.js';
import { CsvLink } from '../../ui/CsvLink.js';
import { type Column, Table, TwoLines } from '../../ui/List.js';
import { Panel } from '../../ui/Panel.js';
import { daysText, lastDoseText } from '../bottle/adherence/taxonomy-text.js';
import { t } from '../../i18n/i18n.js';

const SPAN_DAYS = 90;

/** When a treatment began, on how many days it had the prescribed amount, and until when it lasted, by medication. */
export function MedicationFigures({ userId, path }: { userId: string; path: string }) {
  const from = (): string => new Date(now() - SPAN_DAYS * DAY_MS).toISOString();
  const { data } = useQuery({
    queryKey: ['person', userId, 'adherence'],
    queryFn: ({ signal }) => get<PersonsAdherence>(`${path}/adherence`, { query: { from: from() }, signal }),
  });
  if (!data || data.medications.length === 0) return null;
  // with one medication, all together are the same
  const rows = data.medications.length === 2 ? data.medications.slice(0, 1) : data.medications;
  return (
    <Panel
      title={t('Treatment in {{count, number}} days', { count: SPAN_DAYS })}
      aside={
        <CsvLink
          path={`${path}/adherence`}
          query={{ from: from() }}
          name={`treatment-${userId}`}
          label={t('Treatment as CSV')}
        />
      }
      flush
    >
      <Table columns={COLUMNS} rows={rows} rowKey={({ medication }) => medication ?? ''} />
    </Panel>
  );
}

const COLUMNS: readonly Column<MedicationAdherence>[] = [
  { title: t('Medication'), cell: ({ medication }) => medication ?? t('All together') },
  {
    title: t('First and last dose'),
    cell: ({ initiation: { first_dose_at }, persistence }) => (
      <TwoLines
        main={first_dose_at ? <Moment at={first_dose_at} /> : t('none', { context: 'dose' })}
        small={lastDoseText(persistence)}
      />
    ),
  },
  {
    title: t('Days as prescribed'),
    cell: ({ implementation, reported }) => (
      <TwoLines
        main={daysText(implementation)}
        small={t('With reports: {{days}}', { days: daysText(reported.implementation) })}
      />
    ),
  },
  {
    title: t('Not monitored'),
    as: 'number',
    cell: ({ implementation }) => implementation.not_monitored_days,
  },
];
