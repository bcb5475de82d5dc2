import { Link } from '@tanstack/react-router';
import type { BottleSummary, LastAction } from '../../api/types/bottle.js';
import { Moment } from '../../time/Moment.js';
import { Marked, meaningOf, STATUS } from '../../ui/Mark.js';
import table from '../../ui/Table.module.css';

/** Bottles, one a line, each a way to its page. */
export function BottleTable({ bottles }: { bottles: readonly BottleSummary[] }) {
  return (
    <div className={table['wrap']}>
      <table className={table['table']}>
        <thead>
          <tr>
            <th scope="col">Bottle</th>
            <th scope="col">Status</th>
            <th scope="col">Last heard</th>
            <th scope="col">Last opened or closed</th>
            <th scope="col" className={table['number']}>
              Pills left
            </th>
            <th scope="col">Bottle id</th>
          </tr>
        </thead>
        <tbody>
          {bottles.map((bottle) => (
            <Row key={bottle.bottle_id} bottle={bottle} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ bottle }: { bottle: BottleSummary }) {
  const { bottle_id, medication, user_id, status, last_heard_at, last_action, pills_left } = bottle;
  return (
    <tr data-row={bottle_id}>
      <td>
        <div className={table['two']}>
          <Link
            to="/bottles/$bottleId"
            params={{ bottleId: bottle_id }}
            className={table['main']}
            data-row-link
          >
            {medication}
          </Link>
          <span className={table['small']}>{user_id}</span>
        </div>
      </td>
      <td data-label="Status">
        <Marked of={meaningOf(STATUS, status)} />
      </td>
      <td data-label="Last heard">
        {last_heard_at === null ? 'Never' : <Moment at={last_heard_at} as="ago" />}
      </td>
      <td data-label="Last opened or closed">
        <Action action={last_action} />
      </td>
      <td data-label="Pills left" className={table['number']}>
        {pills_left ?? <span className={table['quiet']}>unknown</span>}
      </td>
      <td data-label="Bottle id" className={table['mono']}>
        {bottle_id}
      </td>
    </tr>
  );
}

function Action({ action }: { action: LastAction | null }) {
  if (!action) return <span className={table['quiet']}>Never</span>;
  return (
    <>
      {action.action === 'opened' ? 'Opened' : 'Closed'} <Moment at={action.time} />
    </>
  );
}
