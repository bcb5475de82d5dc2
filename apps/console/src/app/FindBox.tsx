import { Combobox, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { errorText } from '../errors/error-text.js';
import { type ReactNode, type RefObject, useState } from 'react';
import { alertKind } from '../alert-kinds/alert-kinds.js';
import { get } from '../api/request.js';
import { useMay } from '../api/session.js';
import type { FoundBottle, FoundPerson, SearchResult } from '../api/schema.js';
import { SearchIcon } from '../ui/icons.js';
import { Mark, meaningOf } from '../ui/Mark.js';
import { STATUS } from '../ui/meanings.js';
import classes from './FindBox.module.css';
import { type Action, actionsFor } from './find-actions.js';
import { Kbd } from './KeyHelp.js';
import { queries } from './services.js';
import { t } from '../i18n/i18n.js';

const ID = /^[0-9a-f]{24}$/i;
const SHORTEST = 1;
const DEBOUNCE_MS = 150;

const NOTHING: SearchResult = { people: [], bottles: [], alerts: [], medications: [] };

interface FindBoxProps {
  inputRef: RefObject<HTMLInputElement | null>;
  onHelp: () => void;
}

/** Finds people, bottles, medications, alerts and actions, with suggestions. */
export function FindBox({ inputRef, onHelp }: FindBoxProps) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), DEBOUNCE_MS);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const isAsking = q.length >= SHORTEST;
  const { data, error } = useQuery({
    ...search(q),
    enabled: isAsking && combobox.dropdownOpened,
  });
  // what was found for an earlier text cannot be chosen
  const isCurrent = q === text.trim();
  const found = (isAsking && isCurrent && data) || NOTHING;
  const failed = isAsking ? error : null;
  const actions = actionsFor(text.trim(), { isSupport: useMay('support'), isAdmin: useMay('admin') });
  const isEmpty = isNothing(found) && actions.length === 0 && !failed;
  const isWaiting = text.trim().length >= SHORTEST && !(isCurrent && data);

  const reset = (): void => {
    combobox.closeDropdown();
    setText('');
    inputRef.current?.blur();
  };
  const open = (option: string): void => {
    reset();
    const [kind, ref] = [option.slice(0, option.indexOf(':')), option.slice(option.indexOf(':') + 1)];
    if (kind === 'action' && ref === '?') return onHelp();
    void navigate(destinationOf(kind, ref));
  };
  const submit = async (): Promise<void> => {
    const entered = text.trim();
    if (ID.test(entered)) return open(`bottle:${entered.toLowerCase()}`);
    const person = entered.length < SHORTEST ? undefined : await findPerson(entered);
    // somebody has typed on, or has chosen something, while the answer was awaited
    if (inputRef.current?.value.trim() !== entered) return;
    if (person !== undefined) return open(`person:${person}`);
    reset();
    void navigate({ to: '/bottles', search: entered === '' ? {} : { q: entered } });
  };
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Combobox store={combobox} onOptionSubmit={open} width={340} position="bottom-start">
          <Combobox.Target>
            <TextInput
              ref={inputRef}
              type="text"
              size="sm"
              aria-label={t('Find a person, bottle, alert or action')}
              placeholder={t('Find anything')}
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
          <Combobox.Dropdown hidden={isEmpty && text.trim().length < SHORTEST}>
            <Combobox.Options className={classes['options']}>
              {failed && <Combobox.Empty role="alert">{errorText(failed)}</Combobox.Empty>}
              {isEmpty && (
                <Combobox.Empty role="status">{isWaiting ? t('Searching…') : t('No results')}</Combobox.Empty>
              )}
              <Options found={found} actions={actions} />
            </Combobox.Options>
          </Combobox.Dropdown>
        </Combobox>
      </form>
    </search>
  );
}

/** The question to the server, once for the suggestions and for `Enter`. */
const search = (q: string) => ({
  queryKey: ['found', q],
  queryFn: ({ signal }: { signal: AbortSignal }) => get<SearchResult>('/v1/search', { query: { q }, signal }),
});

/** The user id of whom `Enter` opens: the first person, unless the list of bottles shows all of several. */
async function findPerson(text: string): Promise<string | undefined> {
  const { people } = await queries.fetchQuery(search(text)).catch(() => NOTHING);
  const isListed = people.length > 1 && people.every((person) => listsBottlesOf(person, text));
  return isListed ? undefined : people[0]?.user_id;
}

/** Whether the list of bottles with this text shows bottles of a person: it does not know names. */
function listsBottlesOf({ user_id, bottles }: SearchResult['people'][number], text: string): boolean {
  const has = (where: string): boolean => where.toLowerCase().includes(text.toLowerCase());
  return has(user_id) || bottles.some(({ medication }) => has(medication));
}

/** Where an option leads: its kind, and what it refers to. */
function destinationOf(kind: string, ref: string) {
  switch (kind) {
    case 'person':
      return { to: '/people/$userId', params: { userId: ref } } as const;
    case 'bottle':
      return { to: '/bottles/$bottleId', params: { bottleId: ref } } as const;
    case 'alert':
      return { to: '/alerts/$alertId', params: { alertId: ref } } as const;
    case 'medication':
      return { to: '/bottles', search: { medication: ref } } as const;
    default:
      return { to: ref } as { to: '/' };
  }
}

const isNothing = ({ people, bottles, alerts, medications }: SearchResult): boolean =>
  people.length + bottles.length + alerts.length + medications.length === 0;

function Options({ found, actions }: { found: SearchResult; actions: readonly Action[] }) {
  const { people, bottles, alerts, medications } = found;
  const theirs = people.flatMap((person) => person.bottles);
  const all = [...new Map([...theirs, ...bottles].map((bottle) => [bottle.bottle_id, bottle])).values()];
  return (
    <>
      <Group label={t('People')}>
        {people.map(({ user_id, name, matched, bottles: owned }) => (
          <Combobox.Option value={`person:${user_id}`} key={user_id}>
            <Lines
              main={name ?? user_id}
              small={[...whyText(matched), ...(name ? [user_id] : []), ...owned.map(medicationOf)]}
            />
          </Combobox.Option>
        ))}
      </Group>
      <Group label={t('Bottles')}>
        {all.map(({ bottle_id, user_id, medication, status }) => (
          <Combobox.Option value={`bottle:${bottle_id}`} key={bottle_id} className={classes['option']}>
            <Mark of={meaningOf(STATUS, status)} label={meaningOf(STATUS, status).label} />
            <Lines main={medication} small={[user_id]} />
          </Combobox.Option>
        ))}
      </Group>
      <Group label={t('Open alerts')}>
        {alerts.map(({ id, kind, medication, user_id }) => (
          <Combobox.Option value={`alert:${id}`} key={id} className={classes['option']}>
            <Mark of={alertKind(kind)} />
            <Lines main={alertKind(kind).label} small={[medication, user_id]} />
          </Combobox.Option>
        ))}
      </Group>
      <Group label={t('Medications')}>
        {medications.map((name) => (
          <Combobox.Option value={`medication:${name}`} key={name}>
            {t('All bottles with {{name}}', { name })}
          </Combobox.Option>
        ))}
      </Group>
      <Group label={t('Actions')}>
        {actions.map(({ label, to }) => (
          <Combobox.Option value={`action:${to}`} key={to}>
            {label}
          </Combobox.Option>
        ))}
      </Group>
    </>
  );
}

/** By what a person was found, where the line does not show it. */
const MATCHED: Partial<Record<string, (text: string) => string>> = {
  phone: (text) => t('phone {{text}}', { text }),
  email: (text) => text,
  carer_name: (text) => t('carer {{text}}', { text }),
  carer_phone: (text) => t('carer’s phone {{text}}', { text }),
  carer_email: (text) => t('carer’s e-mail {{text}}', { text }),
  label: (text) => t('label “{{text}}”', { text }),
};

function whyText(matched: FoundPerson['matched']): string[] {
  if (!matched) return [];
  const { by, text, is_near } = matched;
  const where = MATCHED[by]?.(text) ?? (is_near && by === 'user_id' ? text : undefined);
  return [...(is_near ? [t('similar')] : []), ...(where === undefined ? [] : [where])];
}

const medicationOf = ({ medication }: FoundBottle): string => medication;

function Group({ label, children }: { label: string; children: ReactNode[] }) {
  return children.length === 0 ? null : <Combobox.Group label={label}>{children}</Combobox.Group>;
}

function Lines({ main, small }: { main: string; small: string[] }) {
  return (
    <span className={classes['text']}>
      <span className={classes['medication']}>{main}</span>
      <span className={classes['user']}>{small.join(' · ')}</span>
    </span>
  );
}
