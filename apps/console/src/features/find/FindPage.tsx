import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useList } from '../../api/list.js';
import type { BottleSummary, Status } from '../../api/types/bottle.js';
import { CsvLink } from '../../ui/CsvLink.js';
import { SearchIcon } from '../../ui/icons.js';
import { ListState } from '../../ui/ListState.js';
import { PageHead } from '../../ui/PageHead.js';
import { Empty } from '../../ui/States.js';
import { BottleTable } from './BottleTable.js';
import classes from './FindPage.module.css';
import { StatusFilter } from './StatusFilter.js';

const route = getRouteApi('/bottles');
const PAUSE_MS = 200;

/** Bottles, narrowed by what is known of the one that is looked for. */
export function FindPage() {
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
