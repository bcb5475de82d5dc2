import { Button, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import { type FieldError, isProblem } from '../../api/http.js';
import { request } from '../../api/request.js';
import { queries } from '../../app/services.js';
import { DownloadIcon } from '../../ui/icons.js';
import { Panel } from '../../ui/Panel.js';
import { explain } from '../../ui/States.js';
import table from '../../ui/Table.module.css';
import classes from './RegisterPage.module.css';

const EXAMPLE = `user_id,medication,time_zone,number_of_pills,times
anna-schmidt,Metformin 500 mg,Europe/Berlin,60,08:00 20:00
john-miller,Ibuprofen 400 mg,America/New_York,,`;

/** Many new bottles from CSV: all of them, or none and what is wrong in which line. */
export function ImportForm() {
  const [csv, setCsv] = useState('');
  const file = useRef<HTMLInputElement>(null);
  const send = useMutation({
    mutationFn: () =>
      request<ImportAnswer>('POST', '/v1/bottles/import', { text: { type: 'text/csv', content: csv } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['bottles'] }),
  });
  const wrong = isProblem(send.error, 'invalid_csv') ? send.error.errors : undefined;
  const choose = (event: ChangeEvent<HTMLInputElement>): void => {
    const [chosen] = event.currentTarget.files ?? [];
    event.currentTarget.value = '';
    if (chosen) void chosen.text().then((text) => change(text));
  };
  const change = (text: string): void => {
    setCsv(text);
    send.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send.mutate();
  };
  if (send.data) {
    return <ImportDone answer={send.data} onAgain={() => change('')} />;
  }
  return (
    <div className={classes['columns']}>
      <Panel title="Bottles as CSV">
        <form onSubmit={submit} className={classes['form']}>
          <Textarea
            className={classes['csv']}
            label="A line for each bottle, after one with the names of the columns"
            rows={12}
            spellCheck={false}
            value={csv}
            onChange={(event) => change(event.currentTarget.value)}
          />
          {send.error && !wrong && (
            <p role="alert" className={classes['error']}>
              {explain(send.error).join('. ')}
            </p>
          )}
          <div className={classes['buttons']}>
            <Button type="submit" loading={send.isPending} disabled={csv.trim() === ''}>
              Register them
            </Button>
            <Button variant="default" onClick={() => file.current?.click()}>
              Take a file
            </Button>
            <input
              ref={file}
              type="file"
              accept=".csv,text/csv"
              hidden
              onChange={choose}
              aria-label="CSV file"
            />
          </div>
        </form>
      </Panel>
      {wrong ? <ImportErrors errors={wrong} csv={csv} /> : <Example />}
    </div>
  );
}

function Example() {
  return (
    <Panel title="For example">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard */}
      <pre className={classes['example']} tabIndex={0} role="region" aria-label="Example of a CSV file">
        {EXAMPLE}
      </pre>
      <p className={classes['quiet']} style={{ marginTop: 12 }}>
        user_id, medication and time_zone are needed; number_of_pills, times and pills_per_dose may be left
        out. At most 2,000 bottles. Either all lines are right and all bottles are registered, or none is.
      </p>
    </Panel>
  );
}

export interface ImportAnswer {
  created: { line: number; bottle_id: string; token: string }[];
}

/** What is wrong, line by line; nothing was registered. */
export function ImportErrors({ errors, csv }: { errors: readonly FieldError[]; csv: string }) {
  const lines = csv.split(/\r?\n/);
  return (
    <Panel
      title={errors.length === 1 ? 'One line is wrong' : `${errors.length} things are wrong`}
      aside="Nothing was registered"
      flush
    >
      <div className={table['wrap']} role="alert">
        <table className={table['table']}>
          <thead>
            <tr>
              <th scope="col">Line</th>
              <th scope="col">What is wrong</th>
            </tr>
          </thead>
          <tbody>
            {errors.map(({ line = 1, field, code, message }) => (
              <tr key={`${line} ${field} ${code}`}>
                <td data-label="Line">{line}</td>
                <td>
                  <div className={table['two']}>
                    <span>{message}</span>
                    <code className={table['small']}>{lines[line - 1]}</code>
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

/** The new bottles with their tokens, shown this once. */
export function ImportDone({ answer: { created }, onAgain }: { answer: ImportAnswer; onAgain: () => void }) {
  const rows = [
    'line,bottle_id,token',
    ...created.map(({ line, bottle_id, token }) => `${line},${bottle_id},${token}`),
  ];
  const file = `data:text/csv,${encodeURIComponent(`${rows.join('\r\n')}\r\n`)}`;
  return (
    <Panel
      title={created.length === 1 ? 'One bottle is registered' : `${created.length} bottles are registered`}
    >
      <div className={classes['form']}>
        <p>Their devices’ tokens are in this file and nowhere else. Take it before you leave this page.</p>
        <div className={classes['buttons']}>
          <Button component="a" href={file} download="tokens.csv" leftSection={<DownloadIcon />}>
            Take the tokens
          </Button>
          <Button variant="default" onClick={onAgain}>
            Register more
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
      </div>
    </Panel>
  );
}
