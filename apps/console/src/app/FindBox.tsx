import { Combobox, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type RefObject, useState } from 'react';
import { get } from '../api/request.js';
import type { BottleSummary, Page } from '../api/types.js';
import { SearchIcon } from '../ui/icons.js';
import { Mark, meaningOf } from '../ui/Mark.js';
import { STATUS } from '../ui/meanings.js';
import classes from './FindBox.module.css';
import { Kbd } from './KeyHelp.js';

const ID = /^[0-9a-f]{24}$/i;
const SUGGESTIONS = 8;
const DEBOUNCE_MS = 150;

/** Search by part of a user ID, medication or bottle ID, with suggestions. */
export function FindBox({ inputRef }: { inputRef: RefObject<HTMLInputElement | null> }) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), DEBOUNCE_MS);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const { data } = useQuery({
    queryKey: ['bottles', 'suggested', q],
    queryFn: ({ signal }) =>
      get<Page<BottleSummary>>('/v1/bottles', { query: { q, limit: SUGGESTIONS }, signal }),
    enabled: q.length > 1 && combobox.dropdownOpened,
    placeholderData: (previous) => previous,
  });
  const found = q.length > 1 ? (data?.items ?? []) : [];

  const reset = (): void => {
    combobox.closeDropdown();
    setText('');
    inputRef.current?.blur();
  };
  const open = (bottleId: string): void => {
    reset();
    void navigate({ to: '/bottles/$bottleId', params: { bottleId } });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const entered = text.trim();
    if (ID.test(entered)) return open(entered.toLowerCase());
    reset();
    void navigate({ to: '/bottles', search: entered === '' ? {} : { q: entered } });
  };
  return (
    <search>
      <form onSubmit={submit}>
        <Combobox store={combobox} onOptionSubmit={open} width={340} position="bottom-start">
          <Combobox.Target>
            <TextInput
              ref={inputRef}
              type="text"
              size="sm"
              aria-label="Find a bottle"
              placeholder="Find a bottle"
              autoComplete="off"
              spellCheck={false}
              leftSection={<SearchIcon />}
              rightSection={text === '' ? <Kbd>/</Kbd> : undefined}
              value={text}
              onChange={(event) => {
                setText(event.currentTarget.value);
                combobox.openDropdown();
              }}
              onBlur={() => combobox.closeDropdown()}
            />
          </Combobox.Target>
          <Combobox.Dropdown hidden={found.length === 0}>
            <Combobox.Options>
              {found.map(({ bottle_id, user_id, medication, status }) => (
                <Combobox.Option value={bottle_id} key={bottle_id} className={classes['option']}>
                  <Mark of={meaningOf(STATUS, status)} label={meaningOf(STATUS, status).label} />
                  <span className={classes['text']}>
                    <span className={classes['medication']}>{medication}</span>
                    <span className={classes['user']}>{user_id}</span>
                  </span>
                </Combobox.Option>
              ))}
            </Combobox.Options>
          </Combobox.Dropdown>
        </Combobox>
      </form>
    </search>
  );
}
