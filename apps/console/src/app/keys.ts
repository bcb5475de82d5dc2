import { useEffect } from 'react';
import { Store, useStore } from '../api/store.js';

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

/** Shortcuts by `KeyboardEvent.key`; `g a` is `g`, then `a`. */
export type KeyMap = Record<string, () => void>;

const PREFIX = 'g';
/** How long to wait for the key after the prefix. Milliseconds. */
const PREFIX_MS = 1_200;

const maps: KeyMap[] = [];
let prefixAt = Number.NEGATIVE_INFINITY;

function press(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (!singleKeys.get() || isTyping(event.target) || document.querySelector('[role="dialog"]')) return;
  const prefixed = event.timeStamp - prefixAt < PREFIX_MS;
  prefixAt = event.key === PREFIX ? event.timeStamp : Number.NEGATIVE_INFINITY;
  const name = prefixed ? `${PREFIX} ${event.key}` : event.key;
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

const NOT_TYPED_INTO = new Set(['checkbox', 'radio', 'button', 'submit']);

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !NOT_TYPED_INTO.has(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
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
