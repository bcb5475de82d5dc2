import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { get } from '../../api/request.js';
import type { MedicationAdherence, PersonsAdherence } from '../../api/schema.js';
import { now } from '../../time/clock.js';
import { DAY_MS } from '../../time/durations.js';
import { CsvLink } from '../../ui/CsvLink.js';
import { type Column, Table, TwoLines } from '../../ui/List.js';
import { Panel } from '../../ui/Panel.js';
import { FirstDose, WithReports } from '../bottle/adherence/Measured.js';
import { daysText, holidaysText, lastDoseText } from '../bottle/adherence/taxonomy-text.js';
import classes from './MedicationFigures.module.css';
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
      className={classes['figures']}
      flush
    >
      <Table columns={COLUMNS} rows={rows} rowKey={({ medication }) => medication ?? ''} />
    </Panel>
  );
}

/** A figure as measured, and below it with people's word. */
function both(
  { reported, ...measured }: MedicationAdherence,
  textOf: (figures: MedicationAdherence['reported']) => ReactNode,
): ReactNode {
  return <TwoLines main={textOf(measured)} small={<WithReports>{textOf(reported)}</WithReports>} />;
}

const COLUMNS: readonly Column<MedicationAdherence>[] = [
  { title: t('Medication'), cell: ({ medication }) => medication ?? t('All together') },
  { title: t('First dose'), cell: (row) => both(row, ({ initiation }) => <FirstDose {...initiation} />) },
  { title: t('Last dose'), cell: (row) => both(row, ({ persistence }) => lastDoseText(persistence)) },
  {
    title: t('Days as prescribed'),
    cell: (row) => both(row, ({ implementation }) => daysText(implementation)),
  },
  { title: t('Days covered'), cell: (row) => both(row, ({ days_covered }) => daysText(days_covered)) },
  {
    title: t('Three or more days without a dose'),
    cell: (row) => both(row, ({ drug_holidays }) => holidaysText(drug_holidays)),
  },
  {
    title: t('Not monitored'),
    as: 'number',
    cell: ({ implementation }) => implementation.not_monitored_days,
  },
];
