import { Button, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ChangeEvent, useRef, useState } from 'react';
import { type FieldError, isProblem } from '../../api/http.js';
import { request } from '../../api/request.js';
import { Form, FormError } from '../../ui/Form.js';
import { DownloadIcon } from '../../ui/icons.js';
import { Table, TwoLines } from '../../ui/List.js';
import { Panel } from '../../ui/Panel.js';
import { plural } from '../../ui/text.js';
import classes from './RegisterPage.module.css';

interface ImportAnswer {
  created: { line: number; bottle_id: string; token: string }[];
}

const EXAMPLE = `user_id,medication,time_zone,number_of_pills,times
anna-schmidt,Metformin 500 mg,Europe/Berlin,60,08:00 20:00
john-miller,Ibuprofen 400 mg,America/New_York,,`;

/** Registers many bottles from CSV: all of them, or none if a line is invalid. */
export function ImportForm() {
  const [csv, setCsv] = useState('');
  const file = useRef<HTMLInputElement>(null);
  const send = useMutation({
    mutationFn: () =>
      request<ImportAnswer>('POST', '/v1/bottles/import', { text: { type: 'text/csv', content: csv } }),
  });
  const lineErrors = isProblem(send.error, 'invalid_csv') ? send.error.errors : undefined;
  const change = (text: string): void => {
    setCsv(text);
    send.reset();
  };
  const readFile = (event: ChangeEvent<HTMLInputElement>): void => {
    const [chosen] = event.currentTarget.files ?? [];
    event.currentTarget.value = '';
    if (chosen) void chosen.text().then((text) => change(text));
  };
  if (send.data) return <Result answer={send.data} onReset={() => change('')} />;
  return (
    <div className={classes['columns']}>
      <Panel title="Import bottles">
        <Form onSubmit={() => send.mutate()}>
          <Textarea
            className={classes['csv']}
            label="CSV: a header with the column names, then one line per bottle"
            rows={12}
            spellCheck={false}
            value={csv}
            onChange={(event) => change(event.currentTarget.value)}
          />
          {!lineErrors && <FormError error={send.error} />}
          <div className={classes['buttons']}>
            <Button type="submit" loading={send.isPending} disabled={csv.trim() === ''}>
              Import bottles
            </Button>
            <Button variant="default" onClick={() => file.current?.click()}>
              Choose file
            </Button>
            <input
              ref={file}
              type="file"
              accept=".csv,text/csv"
              hidden
              onChange={readFile}
              aria-label="CSV file"
            />
          </div>
        </Form>
      </Panel>
      {lineErrors ? <LineErrors errors={lineErrors} csv={csv} /> : <Example />}
    </div>
  );
}

function Example() {
  return (
    <Panel title="Example">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard */}
      <pre className={classes['example']} tabIndex={0} role="region" aria-label="Example of a CSV file">
        {EXAMPLE}
      </pre>
      <p className={classes['quiet']} style={{ marginTop: 12 }}>
        Required: user_id, medication and time_zone. Optional: number_of_pills, times and pills_per_dose. Up
        to 2,000 bottles. If any line is invalid, nothing is imported.
      </p>
    </Panel>
  );
}

function LineErrors({ errors, csv }: { errors: readonly FieldError[]; csv: string }) {
  const lines = csv.split(/\r?\n/);
  return (
    <Panel title={plural(errors.length, 'error')} aside="Nothing was imported" flush>
      <div role="alert">
        <Table
          rows={errors}
          rowKey={({ line, field, code }) => `${line} ${field} ${code}`}
          columns={[
            { title: 'Line', cell: ({ line = 1 }) => line },
            {
              title: 'Error',
              cell: ({ line = 1, message }) => (
                <TwoLines main={message} small={<code>{lines[line - 1]}</code>} />
              ),
            },
          ]}
        />
      </div>
    </Panel>
  );
}

/** The new bottles; their tokens are shown only now. */
function Result({ answer: { created }, onReset }: { answer: ImportAnswer; onReset: () => void }) {
  const rows = [
    'line,bottle_id,token',
    ...created.map(({ line, bottle_id, token }) => `${line},${bottle_id},${token}`),
  ];
  const file = `data:text/csv,${encodeURIComponent(`${rows.join('\r\n')}\r\n`)}`;
  return (
    <Panel title={`${plural(created.length, 'bottle')} registered`}>
      <p className={classes['done']}>
        The device tokens are shown only once. Download them before you leave this page.
      </p>
      <div className={`${classes['buttons']} ${classes['done']}`}>
        <Button component="a" href={file} download="tokens.csv" leftSection={<DownloadIcon />}>
          Download tokens
        </Button>
        <Button variant="default" onClick={onReset}>
          Import more
        </Button>
      </div>
      <ul className={classes['quiet']}>
        {created.slice(0, 20).map(({ line, bottle_id }) => (
          <li key={bottle_id}>
            Line {line}:{' '}
            <Link to="/bottles/$bottleId" params={{ bottleId: bottle_id }}>
              {bottle_id}
            </Link>
          </li>
        ))}
        {created.length > 20 && <li>and {created.length - 20} more</li>}
      </ul>
    </Panel>
  );
}
