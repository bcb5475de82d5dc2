import { Button } from '@mantine/core';
import { t } from '../../i18n/i18n.js';
import { CsvLink } from '../../ui/CsvLink.js';
import { DownloadIcon } from '../../ui/icons.js';
import { Panel } from '../../ui/Panel.js';
import { templateCsv } from './import/csv-files.js';
import { CONTACT_COLUMNS } from './import/file-contacts.js';
import classes from './RegisterPage.module.css';

const EXAMPLE = `user_id,medication,time_zone,number_of_pills,step,times,doses
anna-schmidt,Metformin 500 mg,Europe/Berlin,60,,08:00 20:00,
maria-rossi,Prednisolone 5 mg,Europe/Rome,30,1,08:00=2 20:00=1,14
maria-rossi,Prednisolone 5 mg,Europe/Rome,,2,08:00,7
john-miller,Ibuprofen 400 mg,America/New_York,,,,`;

/** The columns of a schedule, with a cell of each and what it says. */
const SCHEDULE_COLUMNS: { columns: string; cell: string; text?: string }[] = [
  { columns: 'step', cell: '2', text: t('a further step of the bottle in the line before') },
  { columns: 'times', cell: '08:00=2 20:00=1', text: t('with the pills of each time') },
  { columns: 'pills_per_dose', cell: '0.5' },
  { columns: 'days_of_week, days_of_month', cell: 'mon fri, 1 15' },
  { columns: 'cycle', cell: '21/7 2026-03-01', text: t('days on, days off, first day on') },
  {
    columns: 'every, anchor',
    cell: '8h, 2026-03-01T06:00:00Z',
    text: t('an interval and one of its doses'),
  },
  { columns: 'max_per_day, min_interval', cell: '4, 4h', text: t('as needed') },
  { columns: 'until, doses', cell: '2026-03-10, 14', text: t('the last day, or the number of doses') },
  { columns: 'early_window, late_after, missed_after', cell: '2h, 1h, 4h' },
  { columns: 'schedule_time_zone, effective_from', cell: 'Asia/Tokyo, 2026-03-05T00:00:00Z' },
];

/** All columns of a file. */
const COLUMNS = [
  'user_id',
  'medication',
  'time_zone',
  'label',
  ...CONTACT_COLUMNS,
  'number_of_pills',
  'plan_of',
  ...SCHEDULE_COLUMNS.flatMap(({ columns }) => columns.split(', ')),
];

/** The lines of a template: once a day, on some weekdays with windows of its own, and a taper. */
const TEMPLATE: readonly Record<string, string>[] = [
  {
    user_id: 'anna-schmidt',
    medication: 'Metformin 500 mg',
    time_zone: 'Europe/Berlin',
    label: 'blue lid',
    name: 'Anna Schmidt',
    phone: '+49 30 123456',
    email: 'anna@example.org',
    carer_name: 'Jan Schmidt',
    carer_phone: '+49 30 654321',
    number_of_pills: '60',
    times: '08:00 20:00',
  },
  {
    user_id: 'john-miller',
    medication: 'Methotrexate 10 mg',
    time_zone: 'America/New_York',
    number_of_pills: '12',
    times: '18:00',
    days_of_week: 'mon',
    early_window: '2h',
    late_after: '2h',
    missed_after: '12h',
  },
  {
    user_id: 'maria-rossi',
    medication: 'Prednisolone 5 mg',
    time_zone: 'Europe/Rome',
    number_of_pills: '30',
    step: '1',
    times: '08:00=2 20:00=1',
    doses: '14',
  },
  {
    user_id: 'maria-rossi',
    medication: 'Prednisolone 5 mg',
    time_zone: 'Europe/Rome',
    step: '2',
    times: '08:00',
    doses: '7',
  },
];

/** What a file looks like. */
export function ImportExample() {
  return (
    <Panel title={t('Example')}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard */}
      <pre className={classes['example']} tabIndex={0} role="region" aria-label={t('Example of a CSV file')}>
        {EXAMPLE}
      </pre>
      <p className={classes['quiet']} style={{ marginTop: 12 }}>
        {t(
          'Required: user_id, medication and time_zone. Optional: label, number_of_pills, plan_of (the ID of a registered bottle whose plan it is for), the columns of a schedule, and the person’s contact: name, phone, email, carer_name, carer_phone, carer_email, and of further carers carer_2_name and so on, up to carer_10_. If any bottle is invalid, nothing is imported. A contact that is there already stays as it is.',
        )}
      </p>
      <p className={classes['quiet']}>
        {t('The bottles in use and their plans are such a file, too:')}{' '}
        <CsvLink path="/v1/bottles/plans" name="plans" label={t('Plans as CSV')} subtle />
      </p>
      <details className={classes['quiet']}>
        <summary>{t('Columns of a schedule')}</summary>
        <ul>
          {SCHEDULE_COLUMNS.map(({ columns, cell, text }) => (
            <li key={columns}>
              <code>{columns}</code>: <code>{cell}</code>
              {text && ` (${text})`}
            </li>
          ))}
        </ul>
      </details>
    </Panel>
  );
}

/** A file to fill in, with all columns. */
export function TemplateLink() {
  return (
    <Button
      component="a"
      variant="subtle"
      href={`data:text/csv;charset=utf-8,${encodeURIComponent(templateCsv(COLUMNS, TEMPLATE))}`}
      download="bottles.csv"
      leftSection={<DownloadIcon />}
    >
      {t('Download template')}
    </Button>
  );
}
