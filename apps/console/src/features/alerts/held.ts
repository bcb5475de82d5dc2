import { Store, useStore } from '../../api/store.js';
import type { Alert } from '../../api/schema.js';
import { queries } from '../../app/services.js';
import { CHOICE_MS, notify, notifyError } from '../../ui/notify.js';
import { type AlertAction, type AlertVerb, run } from './actions.js';
import { t } from '../../i18n/i18n.js';

/** What is being done: to one alert, whose row has no room, and to several. */
const DOING: Record<AlertVerb, { label: string; several: (count: number) => string }> = {
  acknowledge: {
    label: t('Acknowledging…'),
    several: (count) => t('Acknowledging {{count, number}} alerts.', { count }),
  },
  snooze: {
    label: t('Snoozing…'),
    several: (count) => t('Snoozing {{count, number}} alerts.', { count }),
  },
  close: {
    label: t('Closing…'),
    several: (count) => t('Closing {{count, number}} alerts.', { count }),
  },
  assign: {
    label: t('Assigning…'),
    several: (count) => t('Assigning {{count, number}} alerts.', { count }),
  },
};

/** Actions that are not done yet: one that can be undone, and those that are being sent. */
const held = new Store<readonly AlertAction[]>([]);
let waiting: { action: AlertAction; stop: () => void } | undefined;

/**
 * Acts on alerts after ten seconds in which it can be undone. The server learns of it only then, because it cannot
 * recall messages, nor the reminders that an acknowledgement cancels. The next action, and hiding or leaving the page,
 * send it at once.
 */
export function perform(action: AlertAction): void {
  void sendHeld();
  held.set([...held.get(), action]);
  const text = DOING[action.verb].several(action.targets.length);
  const withdraw = notify(text, 'done', { label: t('Undo'), onChoose: undo });
  const timer = setTimeout(() => void sendHeld(), CHOICE_MS);
  const stop = (): void => {
    clearTimeout(timer);
    withdraw();
    waiting = undefined;
  };
  waiting = { action, stop };
}

function undo(): void {
  if (!waiting) return;
  const { action, stop } = waiting;
  stop();
  release(action);
}

/** Sends the action that could still be undone. */
export async function sendHeld(): Promise<void> {
  if (!waiting) return;
  const { action, stop } = waiting;
  stop();
  await send(action);
  release(action);
}

const release = (action: AlertAction): void => held.set(held.get().filter((other) => other !== action));

document.addEventListener('visibilitychange', () => void (document.hidden && sendHeld()));
window.addEventListener('pagehide', () => void sendHeld());

/** Lasts until the page shows the result. @param undoing offered beside the result */
async function send(action: AlertAction, undoing?: () => void): Promise<void> {
  const mutation = queries.getMutationCache().build(queries, {
    mutationFn: () => run(action),
    onSuccess: ({ text, tone }) =>
      void notify(text, tone, undoing && { label: t('Undo'), onChoose: undoing }),
    onError: notifyError,
  });
  // its error is shown already
  await mutation.execute(undefined).catch(() => undefined);
}

/** What is being done to alerts, by their ids: `Acknowledging…`. */
export function useHeld(): ReadonlyMap<string, string> {
  const actions = useStore(held);
  return new Map(actions.flatMap(({ verb, targets }) => targets.map(({ id }) => [id, DOING[verb].label])));
}

/**
 * Assigns alerts at once, so that two colleagues do not take the same one: of two who do, the second learns who was
 * first. Undone by assigning them to whom they had before.
 *
 * @param to `me`, `nobody`, or the id of an account
 */
export function assign(alerts: readonly Pick<Alert, 'id' | 'assigned_to'>[], to: string): void {
  const before = new Map(alerts.map(({ id, assigned_to }) => [id, assigned_to?.id ?? 'nobody']));
  const targets = alerts.map(({ id }) => ({ id, assignee: before.get(id)! }));
  const undoing = (): void => {
    for (const previous of new Set(before.values())) {
      const theirs = targets.filter(({ assignee }) => assignee === previous);
      void send({ verb: 'assign', targets: theirs.map(({ id }) => ({ id, assignee: to })), to: previous });
    }
  };
  void send({ verb: 'assign', targets, to }, undoing);
}
