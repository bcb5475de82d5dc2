import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { FieldError } from '../../api/problem.js';
import { DownloadIcon } from '../../ui/icons.js';
import { Panel } from '../../ui/Panel.js';
import table from '../../ui/Table.module.css';
import classes from './RegisterPage.module.css';

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
