import { Button, Textarea } from '@mantine/core';
import { type ChangeEvent, type ReactNode, useRef, useState } from 'react';
import { type FieldError, isProblem } from '../../api/http.js';
import { numberText, t } from '../../i18n/i18n.js';
import { fieldSentence } from '../../errors/field-sentence.js';
import { Form, FormError } from '../../ui/Form.js';
import { Table, TwoLines } from '../../ui/List.js';
import { Panel } from '../../ui/Panel.js';
import { Unsaved } from '../../ui/Unsaved.js';
import { decodeFile } from './import/decode-file.js';
import { forgetImport, storedImport } from './import/progress.js';
import { type ImportState, useImport } from './import/useImport.js';
import { ImportExample, TemplateLink } from './ImportExample.js';
import { ImportResult, TokensLink } from './ImportResult.js';
import classes from './RegisterPage.module.css';

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
  if (phase === 'done') return <ImportResult state={state} onReset={finish} />;
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
      {lineErrors ? <LineErrors errors={lineErrors} csv={csv} /> : <ImportExample />}
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
