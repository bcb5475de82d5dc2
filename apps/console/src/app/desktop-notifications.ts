import { Store, useStore } from '../api/store.js';
import { ALARMING_KINDS, alertKind } from '../alert-kinds/alert-kinds.js';
import type { Fleet } from '../api/schema.js';
import { t } from '../i18n/i18n.js';

const SETTING = 'pillwatch.desktop-notifications';

const isOn = new Store(
  'Notification' in window && Notification.permission === 'granted' && localStorage.getItem(SETTING) === 'on',
);

/** Whether this browser shows desktop notifications: only after the user has switched them on and allowed them. */
export const desktopNotifications = (): boolean => isOn.get();

/** The setting, and what changes it; the browser asks for permission. Undefined if it has no such notifications. */
export function useDesktopNotifications(): { on: boolean; toggle: () => Promise<void> } | undefined {
  const on = useStore(isOn);
  if (!('Notification' in window)) return undefined;
  const toggle = async (): Promise<void> => {
    const next = !on && (await Notification.requestPermission()) === 'granted';
    localStorage.setItem(SETTING, next ? 'on' : 'off');
    isOn.set(next);
  };
  return { on, toggle };
}

type ByKind = Fleet['needs_attention'];

/** What has come to need attention: `Missed dose: 2`. Kinds and counts only: anyone may see the screen. */
export function newAttention(before: ByKind, after: ByKind): string[] {
  return ALARMING_KINDS.flatMap((kind) => {
    const more = after[kind] - before[kind];
    return more > 0 ? [`${alertKind(kind).label}: ${more}`] : [];
  });
}

/** Shows what has come to need attention while the user looks at something else. */
export function notifyDesktop(before: ByKind, after: ByKind, onClick: () => void): void {
  const lines = newAttention(before, after);
  if (!isOn.get() || document.hasFocus() || lines.length === 0) return;
  const total = Object.values(after).reduce((sum, count) => sum + count, 0);
  const shown = new Notification(t('{{count, number}} alerts need attention', { count: total }), {
    body: lines.join('\n'),
    // replaces the one before
    tag: SETTING,
  });
  shown.addEventListener('click', () => {
    window.focus();
    onClick();
    shown.close();
  });
}
