import { CloseButton, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type BottleSummary, type LastAction, type Status, STATUSES } from '../../api/types.js';
import { Moment } from '../../time/Moment.js';
import { CsvLink } from '../../ui/CsvLink.js';
import { SearchIcon } from '../../ui/icons.js';
import { type Column, TableList, TwoLines, useList } from '../../ui/List.js';
import { Mark, Marked, meaningOf } from '../../ui/Mark.js';
import { STATUS } from '../../ui/meanings.js';
import { PageHead } from '../../ui/PageHead.js';
import { Empty } from '../../ui/States.js';
import table from '../../ui/Table.module.css';
import { useFleet } from '../fleet/queries.js';
import classes from './BottlesPage.module.css';

const route = getRouteApi('/bottles');
const DEBOUNCE_MS = 200;

/** All bottles, with filters. */
export function BottlesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { q, status, user_id, medication } = search;
  const query = { q, status, user_id, medication };
  const list = useList<BottleSummary>(['bottles'], '/v1/bottles', query);
  const filter = (change: Partial<typeof search>): void =>
    void navigate({ search: withoutEmpty({ ...search, ...change }), replace: true });
  const filtered = Object.values(query).some((value) => value !== undefined);
  return (
    <>
      <PageHead title="Bottles">
        <CsvLink path="/v1/bottles" query={query} name="bottles" />
      </PageHead>
      <div className={classes['filters']}>
        <TextFilter
          key={q === undefined ? 'empty' : 'given'}
          text={q ?? ''}
          onChange={(text) => filter({ q: text })}
        />
        <StatusFilter value={status as Status | undefined} onChange={(value) => filter({ status: value })} />
      </div>
      {(user_id !== undefined || medication !== undefined) && (
        <ul className={classes['exact']} aria-label="Active filters">
          {user_id !== undefined && (
            <FilterChip name="user" value={user_id} onClear={() => filter({ user_id: undefined })} />
          )}
          {medication !== undefined && (
            <FilterChip
              name="medication"
              value={medication}
              onClear={() => filter({ medication: undefined })}
            />
          )}
        </ul>
      )}
      <TableList
        list={list}
        empty={<NoBottles filtered={filtered} />}
        columns={COLUMNS}
        rowKey={({ bottle_id }) => bottle_id}
      />
    </>
  );
}

const COLUMNS: readonly Column<BottleSummary>[] = [
  {
    title: 'Bottle',
    cell: ({ bottle_id, medication, user_id }) => (
      <TwoLines
        main={
          <Link
            to="/bottles/$bottleId"
            params={{ bottleId: bottle_id }}
            className={table['main']}
            data-row-link
          >
            {medication}
          </Link>
        }
        small={user_id}
      />
    ),
  },
  { title: 'Status', cell: ({ status }) => <Marked of={meaningOf(STATUS, status)} /> },
  {
    title: 'Last seen',
    cell: ({ last_heard_at: at }) => (at === null ? 'Never' : <Moment at={at} as="ago" />),
  },
  { title: 'Last action', cell: ({ last_action }) => <Action action={last_action} /> },
  {
    title: 'Pills left',
    as: 'number',
    cell: ({ pills_left }) => pills_left ?? <span className={table['quiet']}>unknown</span>,
  },
  { title: 'Bottle ID', as: 'mono', cell: ({ bottle_id }) => bottle_id },
];

function Action({ action }: { action: LastAction | null }) {
  if (!action) return <span className={table['quiet']}>None</span>;
  return (
    <>
      {action.action === 'opened' ? 'Opened' : 'Closed'} <Moment at={action.time} />
    </>
  );
}

function withoutEmpty<T extends Record<string, string | undefined>>(search: T): T {
  return Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined && value !== ''),
  ) as T;
}

/** Updates the address after a pause in typing. */
function TextFilter({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const [typed, setTyped] = useState(text);
  const change = useDebouncedCallback(onChange, DEBOUNCE_MS);
  return (
    <TextInput
      className={classes['text']}
      size="sm"
      aria-label="Filter by user ID, medication or bottle ID"
      placeholder="User ID, medication or bottle ID"
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

function FilterChip({ name, value, onClear }: { name: string; value: string; onClear: () => void }) {
  return (
    <li className={classes['chip']}>
      <span>
        {name}: <strong>{value}</strong>
      </span>
      <CloseButton size="sm" aria-label={`Clear ${name} filter`} onClick={onClear} />
    </li>
  );
}

interface StatusFilterProps {
  value: Status | undefined;
  onChange: (value: Status | undefined) => void;
}

/** Every status with its count in the whole fleet. */
function StatusFilter({ value, onChange }: StatusFilterProps) {
  const bottles = useFleet().data?.bottles;
  return (
    <div role="group" aria-label="Status" className={classes['filter']}>
      {[undefined, ...STATUSES].map((status) => {
        const count = status === undefined ? bottles?.total : bottles?.by_status[status];
        return (
          <UnstyledButton
            key={status ?? 'all'}
            className={classes['choice']}
            aria-pressed={value === status}
            onClick={() => onChange(value === status ? undefined : status)}
          >
            {status && <Mark of={STATUS[status]} size={14} />}
            {status ? STATUS[status].label : 'All'}
            {count !== undefined && <span className={classes['count']}>{count.toLocaleString('en')}</span>}
          </UnstyledButton>
        );
      })}
    </div>
  );
}

function NoBottles({ filtered }: { filtered: boolean }) {
  if (filtered) return <Empty title="No matching bottles">Try a shorter text or clear a filter.</Empty>;
  return (
    <Empty title="No bottles yet">
      <Link to="/register">Register a bottle</Link>, or import many from CSV.
    </Empty>
  );
}
