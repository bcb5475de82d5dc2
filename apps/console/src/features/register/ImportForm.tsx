import { Button, Textarea } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ChangeEvent, type ReactNode, useRef, useState } from 'react';
import { type FieldError, isProblem } from '../../api/http.js';
import { joinList, numberText, t } from '../../i18n/i18n.js';
import { errorText } from '../../errors/error-text.js';
import { fieldSentence } from '../../errors/field-sentence.js';
import { CsvLink } from '../../ui/CsvLink.js';
import { Form, FormError } from '../../ui/Form.js';
import { DownloadIcon } from '../../ui/icons.js';
import { Table, TwoLines } from '../../ui/List.js';
import { Panel } from '../../ui/Panel.js';
import { Unsaved } from '../../ui/Unsaved.js';
import { Warnings } from '../bottle/schedule/Warnings.js';
import { bottleText } from '../bottle/names.js';
import { tokensCsv, templateCsv } from './import/csv-files.js';
import { decodeFile } from './import/decode-file.js';
import { forgetImport, storedImport } from './import/progress.js';
import { CONTACT_COLUMNS } from './import/file-contacts.js';
import { type Created, type ImportState, type SavedContact, useImport } from './import/useImport.js';
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

/** Registers many bottles from CSV, a large file part by part: nothing if a line is invalid, and no bottle twice. */
export function ImportForm() {
  const [csv, setCsv] = useState('');
  const [stored, setStored] = useState(storedImport);
  /** The file was not in UTF-8. */
  const [guessed, setGuessed] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const { state, start, decide, reset } = useImport();
  const { phase, error } = state;
  const lineErrors = isProblem(error, 'invalid_csv') ? error.errors : undefined;
  const change = (text: string): void => {
    setCsv(text);
    setGuessed(false);
    reset();
  };
  const finish = (): void => {
    forgetImport();
    setStored(undefined);
    change('');
  };
  const readFile = (event: ChangeEvent<HTMLInputElement>): void => {
    const [chosen] = event.currentTarget.files ?? [];
    event.currentTarget.value = '';
    if (!chosen) return;
    void chosen.arrayBuffer().then((bytes) => {
      const { text, isWindows1252 } = decodeFile(bytes);
      change(text);
      setGuessed(isWindows1252);
    });
  };
  if (phase === 'done') return <Result state={state} onReset={finish} />;
  const isRunning = phase === 'checking' || phase === 'registering' || phase === 'contacts';
  if (isRunning || phase === 'unsure' || state.created.length > 0) {
    return (
      <Running state={state}>
        {phase === 'unsure' && <Decision state={state} onAnswer={(answer) => decide(csv, answer)} />}
        {phase === 'stopped' && <Button onClick={() => start(csv)}>{t('Continue')}</Button>}
      </Running>
    );
  }
  return (
    <div className={classes['columns']}>
      <Panel title={t('Import bottles')}>
        <Form onSubmit={() => start(csv)}>
          {stored && (
            <p role="status">
              {t(
                'The last import is not finished: {{done}} of {{parts}} parts registered. Choose the same file again to continue: no bottle is registered twice, and the device tokens come again.',
                { done: stored.done, parts: stored.parts },
              )}{' '}
              <Button variant="subtle" onClick={finish}>
                {t('Discard')}
              </Button>
            </p>
          )}
          <Textarea
            className={classes['csv']}
            label={t('CSV: a header with the column names, then one line per bottle or step')}
            rows={12}
            spellCheck={false}
            value={csv}
            onChange={(event) => change(event.currentTarget.value)}
          />
          {guessed && (
            <p role="status">
              {t(
                'The file is not in UTF-8. It was read as Windows-1252, as Excel saves “CSV”: check the letters with accents before you import it.',
              )}
            </p>
          )}
          {!lineErrors && <FormError error={error} />}
          <div className={classes['buttons']}>
            <Button type="submit" disabled={csv.trim() === ''}>
              {t('Import bottles')}
            </Button>
            <Button variant="default" onClick={() => file.current?.click()}>
              {t('Choose file')}
            </Button>
            <TemplateLink />
            <input
              ref={file}
              type="file"
              accept=".csv,text/csv"
              hidden
              onChange={readFile}
              aria-label={t('CSV file')}
            />
          </div>
        </Form>
      </Panel>
      {lineErrors ? <LineErrors errors={lineErrors} csv={csv} /> : <Example />}
    </div>
  );
}

/** How far the import is; when it has stopped, why, and the tokens so far. */
function Running({ state, children }: { state: ImportState; children: ReactNode }) {
  const { phase, done, total, created, contacts, error } = state;
  const values = { done: numberText(done), total: numberText(total) };
  const text =
    phase === 'checking'
      ? t('{{done}} of {{total}} bottles checked', values)
      : phase === 'contacts'
        ? t('{{count, number}} contacts saved', { count: contacts.length })
        : t('{{done}} of {{total}} bottles registered', values);
  const isStopped = phase === 'stopped' || phase === 'unsure';
  return (
    <Panel title={isStopped ? t('Import stopped') : t('Importing bottles')}>
      <div className={classes['importing']}>
        <progress max={total} value={done} aria-label={text} />
        <p role="status">{text}</p>
        <FormError error={error} />
        <div className={classes['buttons']}>
          {children}
          {isStopped && created.length > 0 && (
            <TokensLink created={created} label={t('Download tokens so far')} />
          )}
        </div>
      </div>
      <Unsaved
        text={t('The import is not finished. If you leave, choose the same file again later to continue.')}
      />
    </Panel>
  );
}

/** Whether a part of an earlier session was registered, only a person can find out: its answer was lost. */
function Decision({
  state: { part },
  onAnswer,
}: {
  state: ImportState;
  onAnswer: (answer: 'registered' | 'missing') => void;
}) {
  return (
    <>
      <p>
        {t(
          'Your session ended while lines {{first}} to {{last}} were being sent. Either all of them are registered or none. Does the user of line {{first}} have a new bottle?',
          { first: part?.firstLine, last: part?.lastLine },
        )}
      </p>
      <Button variant="default" onClick={() => onAnswer('registered')}>
        {t('Yes, continue after line {{line}}', { line: part?.lastLine })}
      </Button>
      <Button variant="default" onClick={() => onAnswer('missing')}>
        {t('No, register these lines')}
      </Button>
    </>
  );
}

function Example() {
  return (
    <Panel title={t('Example')}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard */}
      <pre className={classes['example']} tabIndex={0} role="region" aria-label={t('Example of a CSV file')}>
        {EXAMPLE}
      </pre>
      <p className={classes['quiet']} style={{ marginTop: 12 }}>
        {t(
          'Required: user_id, medication and time_zone. Optional: label, number_of_pills, plan_of (the ID of a registered bottle whose plan it is for), the columns of a schedule, and the person’s contact: name, phone, email, carer_name, carer_phone, carer_email. If any bottle is invalid, nothing is imported. A contact that is there already stays as it is.',
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

/** With the name of the column, as the file has it. */
function lineErrorText(error: FieldError): string {
  return error.field === '' ? fieldSentence(error) : `${error.field}: ${fieldSentence(error)}`;
}

function LineErrors({ errors, csv }: { errors: readonly FieldError[]; csv: string }) {
  const lines = csv.split(/\r?\n/);
  return (
    <Panel
      title={t('{{count, number}} errors', { count: errors.length })}
      aside={t('Nothing was imported')}
      flush
    >
      <div role="alert">
        <Table
          rows={errors}
          rowKey={({ line, field, code }) => `${line} ${field} ${code}`}
          columns={[
            { title: t('Line'), cell: ({ line = 1 }) => line },
            {
              title: t('Error'),
              cell: (error) => (
                <TwoLines main={lineErrorText(error)} small={<code>{lines[(error.line ?? 1) - 1]}</code>} />
              ),
            },
          ]}
        />
      </div>
    </Panel>
  );
}

/** A file to fill in, with all columns. */
function TemplateLink() {
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

/** A file with the tokens. */
function TokensLink({
  created,
  label,
  onClick,
}: {
  created: readonly Created[];
  label: string;
  onClick?: () => void;
}) {
  return (
    <Button
      component="a"
      href={`data:text/csv,${encodeURIComponent(tokensCsv(created))}`}
      download="tokens.csv"
      onClick={onClick}
      leftSection={<DownloadIcon />}
    >
      {label}
    </Button>
  );
}

/** How many contacts were made; of the others, why not. */
function SavedContacts({ contacts }: { contacts: readonly SavedContact[] }) {
  if (contacts.length === 0) return null;
  const count = (result: 'made' | 'kept'): number => contacts.filter((one) => one.result === result).length;
  const failed = contacts.flatMap(({ result, ...one }) =>
    result instanceof Error ? [{ ...one, result }] : [],
  );
  return (
    <div className={classes['done']}>
      <p>{t('{{count, number}} contacts saved', { count: count('made') })}</p>
      {count('kept') > 0 && (
        <p>
          {t('{{count, number}} people had a contact already, which stays as it is.', {
            count: count('kept'),
          })}
        </p>
      )}
      {failed.length > 0 && (
        <ul role="alert" aria-label={t('Contacts that were not saved')}>
          {failed.map(({ line, user_id, result }) => (
            <li key={user_id}>
              {t('Line {{line}}:', { line })}{' '}
              <Link to="/people/$userId" params={{ userId: user_id }}>
                {user_id}
              </Link>{' '}
              {errorText(result)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The new bottles; their tokens are shown only now. */
function Result({
  state: { created, lost, contacts },
  onReset,
}: {
  state: ImportState;
  onReset: () => void;
}) {
  const [seen, setSeen] = useState(created.length === 0);
  const warned = created.filter(({ warnings }) => warnings.length > 0);
  const onSeen = (): void => {
    setSeen(true);
    forgetImport();
  };
  return (
    <Panel title={t('{{count, number}} bottles registered', { count: created.length })}>
      <p className={classes['done']}>
        {t('The device tokens are shown only once. Download them before you leave this page.')}
      </p>
      {lost.length > 0 && (
        <p className={classes['done']} role="alert">
          {t(
            'Lines {{lines}} were registered in an earlier session: their tokens cannot be shown any more. Replace the token on each bottle’s page.',
            { lines: joinList(lost.map(([first, last]) => `${first}–${last}`)) },
          )}
        </p>
      )}
      <div className={`${classes['buttons']} ${classes['done']}`}>
        <TokensLink created={created} label={t('Download tokens')} onClick={onSeen} />
        {!seen && (
          <Unsaved text={t('The device tokens are shown only now, and you have not downloaded them.')} />
        )}
        <Button variant="default" disabled={!seen} onClick={onReset}>
          {t('Import more')}
        </Button>
      </div>
      <SavedContacts contacts={contacts} />
      {warned.length > 0 && <p>{t('Doses of these schedules cannot be judged well:')}</p>}
      {warned.slice(0, 20).map(({ line, bottle_id, row, warnings }) => (
        <div key={bottle_id} className={classes['done']}>
          {t('Line {{line}}:', { line })} {row && `${row.medication} · ${row.user_id}`}{' '}
          <Warnings warnings={warnings} />
        </div>
      ))}
      {warned.length > 20 && <p>{t('and {{amount}} more', { amount: numberText(warned.length - 20) })}</p>}
      <ul className={classes['quiet']}>
        {created.slice(0, 20).map(({ line, bottle_id, row }) => (
          <li key={bottle_id}>
            {t('Line {{line}}:', { line })}{' '}
            <Link to="/bottles/$bottleId" params={{ bottleId: bottle_id }}>
              {row ? bottleText({ medication: row.medication, label: row.label || null }) : bottle_id}
            </Link>
            {row && ` · ${row.user_id}`}
          </li>
        ))}
        {created.length > 20 && (
          <li>{t('and {{amount}} more', { amount: numberText(created.length - 20) })}</li>
        )}
      </ul>
    </Panel>
  );
}
