import { CloseButton, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useList } from '../../api/list.js';
import { type BottleSummary, type LastAction, type Status, STATUSES } from '../../api/types.js';
import { Moment } from '../../time/Moment.js';
import { CsvLink } from '../../ui/CsvLink.js';
import { SearchIcon } from '../../ui/icons.js';
import { ListState } from '../../ui/ListState.js';
import { Mark, Marked, meaningOf, STATUS } from '../../ui/Mark.js';
import { PageHead } from '../../ui/PageHead.js';
import { Empty } from '../../ui/States.js';
import table from '../../ui/Table.module.css';
import { useFleet } from '../fleet/queries.js';
import classes from './BottlesPage.module.css';

const route = getRouteApi('/bottles');
const PAUSE_MS = 200;

/** Bottles, narrowed by what is known of the one that is looked for. */
export function BottlesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { q, status, user_id, medication } = search;
  const query = { q, status, user_id, medication };
  const list = useList<BottleSummary>(['bottles'], '/v1/bottles', query);
  const narrow = (change: Partial<typeof search>): void =>
    void navigate({ search: given({ ...search, ...change }), replace: true });
  const narrowed = Object.values(query).some((value) => value !== undefined);
  return (
    <>
      <PageHead title="Bottles">
        <CsvLink path="/v1/bottles" query={query} name="bottles" />
      </PageHead>
      <div className={classes['filters']}>
        <TextFilter
          key={q === undefined ? 'empty' : 'given'}
          text={q ?? ''}
          onChange={(text) => narrow({ q: text })}
        />
        <StatusFilter value={status as Status | undefined} onChange={(value) => narrow({ status: value })} />
      </div>
      {(user_id !== undefined || medication !== undefined) && (
        <ul className={classes['exact']} aria-label="Only bottles with">
          {user_id !== undefined && (
            <Exact name="user" value={user_id} onClear={() => narrow({ user_id: undefined })} />
          )}
          {medication !== undefined && (
            <Exact name="medication" value={medication} onClear={() => narrow({ medication: undefined })} />
          )}
        </ul>
      )}
      <div className={classes['panel']}>
        <ListState list={list} empty={<NothingFound narrowed={narrowed} />}>
          <BottleTable bottles={list.items ?? []} />
        </ListState>
      </div>
    </>
  );
}

function given<T extends Record<string, string | undefined>>(search: T): T {
  return Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined && value !== ''),
  ) as T;
}

/** Typing narrows the list; the address follows when one pauses. */
function TextFilter({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const [typed, setTyped] = useState(text);
  const change = useDebouncedCallback(onChange, PAUSE_MS);
  return (
    <TextInput
      className={classes['text']}
      size="sm"
      aria-label="Part of a user id, a medication or a bottle id"
      placeholder="Part of a user id, medication or bottle id"
      leftSection={<SearchIcon />}
      spellCheck={false}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        change(event.currentTarget.value.trim());
      }}
    />
  );
}

function Exact({ name, value, onClear }: { name: string; value: string; onClear: () => void }) {
  return (
    <li className={classes['chip']}>
      <span>
        {name}: <strong>{value}</strong>
      </span>
      <CloseButton size="sm" aria-label={`Any ${name}`} onClick={onClear} />
    </li>
  );
}

function NothingFound({ narrowed }: { narrowed: boolean }) {
  if (narrowed) {
    return (
      <Empty title="No bottle fits">
        Try a shorter part of the id or the medication, or take a filter away. Ask the caller to spell it.
      </Empty>
    );
  }
  return <Empty title="No bottle is registered yet">Register one, or many at once, under “Register”.</Empty>;
}

interface StatusFilterProps {
  value: Status | undefined;
  onChange: (value: Status | undefined) => void;
}

/** All bottles, or those of one status, with how many there are in the fleet. */
export function StatusFilter({ value, onChange }: StatusFilterProps) {
  const { data } = useFleet();
  return (
    <div role="group" aria-label="Status" className={classes['filter']}>
      <Choice
        on={value === undefined}
        onClick={() => onChange(undefined)}
        label="All"
        count={data?.bottles.total}
      />
      {STATUSES.map((status) => (
        <Choice
          key={status}
          on={value === status}
          onClick={() => onChange(value === status ? undefined : status)}
          label={STATUS[status].word}
          status={status}
          count={data?.bottles.by_status[status]}
        />
      ))}
    </div>
  );
}

interface ChoiceProps {
  on: boolean;
  onClick: () => void;
  label: string;
  status?: Status;
  count: number | undefined;
}

function Choice({ on, onClick, label, status, count }: ChoiceProps) {
  return (
    <UnstyledButton className={classes['choice']} aria-pressed={on} onClick={onClick}>
      {status && <Mark of={STATUS[status]} size={14} />}
      {label}
      {count !== undefined && <span className={classes['count']}>{count.toLocaleString('en')}</span>}
    </UnstyledButton>
  );
}

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
