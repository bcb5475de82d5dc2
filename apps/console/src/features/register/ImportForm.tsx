import { Button, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import { isProblem } from '../../api/problem.js';
import { request } from '../../api/request.js';
import { queries } from '../../app/services.js';
import { Panel } from '../../ui/Panel.js';
import { explain } from '../../ui/States.js';
import { type ImportAnswer, ImportDone, ImportErrors } from './ImportResult.js';
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
