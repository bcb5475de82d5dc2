import { useEffect, useRef } from 'react';
import { Store, useStore } from '../api/store.js';
import { isTyping } from '../ui/is-typing.js';

const SETTING = 'pillwatch.single-keys';
const singleKeys = new Store(localStorage.getItem(SETTING) !== 'off');

/** Whether single-key shortcuts are on. Users of speech input need to turn them off (WCAG 2.1.4). */
export function useSingleKeys(): [on: boolean, set: (on: boolean) => void] {
  return [useStore(singleKeys), setSingleKeys];
}

function setSingleKeys(on: boolean): void {
  localStorage.setItem(SETTING, on ? 'on' : 'off');
  singleKeys.set(on);
}

/** Shortcuts by `KeyboardEvent.key`; `g a` is `g`, then `a`; `mod+a` is ⌘A or Ctrl A. */
export type KeyMap = Record<string, () => void>;

const PREFIX = 'g';
/** How long to wait for the key after the prefix. Milliseconds. */
const PREFIX_MS = 1_200;

const maps: KeyMap[] = [];
let prefixAt = Number.NEGATIVE_INFINITY;

function press(event: KeyboardEvent): void {
  const modified = event.ctrlKey || event.metaKey;
  if (event.altKey || event.defaultPrevented) return;
  if ((!singleKeys.get() && !modified) || isTyping(event.target) || document.querySelector('[role="dialog"]'))
    return;
  const prefixed = event.timeStamp - prefixAt < PREFIX_MS;
  prefixAt = event.key === PREFIX ? event.timeStamp : Number.NEGATIVE_INFINITY;
  const name = modified ? `mod+${event.key.toLowerCase()}` : prefixed ? `${PREFIX} ${event.key}` : event.key;
  const action = maps.findLast((map) => Object.hasOwn(map, name))?.[name];
  if (!action) return;
  event.preventDefault();
  action();
}

/** Registers shortcuts for the whole page. They are inactive during typing and in dialogs. */
export function useKeys(keys: KeyMap): void {
  useEffect(() => {
    if (maps.length === 0) document.addEventListener('keydown', press);
    maps.push(keys);
    return () => {
      maps.splice(maps.indexOf(keys), 1);
      if (maps.length === 0) document.removeEventListener('keydown', press);
    };
  }, [keys]);
}

/** The id of the focused row (`data-row`). */
export function focusedRow(): string | undefined {
  const row = document.activeElement?.closest<HTMLElement>('[data-row]');
  return row?.dataset['row'];
}

/** Moves the focus to the next row's link (`data-row-link`), or to the first. */
export function moveRow(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('[data-row-link]')];
  const row = document.activeElement?.closest('[data-row]');
  const current = links.findIndex((link) => link.closest('[data-row]') === row);
  const next = current === -1 ? (step === 1 ? 0 : links.length - 1) : current + step;
  const link = links[Math.min(links.length - 1, Math.max(0, next))];
  link?.focus();
  link?.scrollIntoView({ block: 'nearest' });
}

/**
 * Keeps the place in a list: when the row that has the focus leaves the list, the next one takes it, or the last.
 *
 * @param ids of the rows, in order
 */
export function useKeptPlace(ids: readonly string[]): void {
  const before = useRef<{ ids: readonly string[]; focused?: string | undefined }>({ ids });
  useEffect(() => {
    const note = (): void => void (before.current.focused = focusedRow());
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);
  const order = ids.join(' ');
  useEffect(() => {
    const { ids: old, focused } = before.current;
    before.current.ids = ids;
    if (focused === undefined || ids.includes(focused) || document.activeElement !== document.body) return;
    const place = old.indexOf(focused);
    const next = [...old.slice(place + 1), ...old.slice(0, place).toReversed()].find((id) =>
      ids.includes(id),
    );
    const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
    rows
      .find((row) => row.dataset['row'] === next)
      ?.querySelector<HTMLElement>('[data-row-link]')
      ?.focus();
    // oxlint-disable-next-line react/exhaustive-deps -- `order` stands for the ids
  }, [order]);
}
