import { useMutation } from '@tanstack/react-query';
import type { CloseReason } from '../../alert-kinds/endings.js';
import { isProblem } from '../../api/http.js';
import { get, post } from '../../api/request.js';
import type { AlertDetail, AlertState } from '../../api/types.js';
import { now } from '../../time/clock.js';
import { dayAndTime, VIEWER_ZONE } from '../../time/format.js';
import { notify, notifyError } from '../../ui/notify.js';

export type AlertVerb = 'acknowledge' | 'snooze' | 'close';

/** An alert in the state in which it was seen: a change that someone else made since is not undone. */
export interface Target {
  id: string;
  state?: AlertState;
}

/** A person's action on alerts. */
interface AlertAction {
  verb: AlertVerb;
  targets: readonly Target[];
  note?: string | undefined;
  /** For a snooze: an ISO 8601 instant. */
  until?: string | undefined;
  /** Of a closing. */
  reason?: CloseReason | undefined;
  notify?: boolean;
}

/** The result for one of several alerts. */
interface Result {
  id: string;
  code: string | null;
  state: AlertState | null;
  by: string | null;
  at: string | null;
}

/** The most that the server accepts in one request. */
export const MAX_BATCH = 200;

const DONE: Record<AlertVerb, string> = {
  acknowledge: 'acknowledged',
  snooze: 'snoozed',
  close: 'closed',
};

/** Acts on one alert or several, and reports the result as a toast. */
export function useAlertAction(after?: () => void) {
  return useMutation({
    mutationFn: (action: AlertAction) => run(action),
    onSuccess: (message) => {
      notify(message.text, message.tone);
      after?.();
    },
    onError: notifyError,
  });
}

interface Message {
  text: string;
  tone: 'done' | 'failed';
}

async function run({ verb, targets, ...given }: AlertAction): Promise<Message> {
  const body = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const [only] = targets;
  if (targets.length === 1 && only !== undefined) return runOnOne(verb, only, body);
  const results: Result[] = [];
  for (const part of batchesOf(targets)) {
    const ids = part.map(({ id }) => id);
    const answer = await post<{ results: Result[] }>(`/v1/alerts/${verb}`, {
      ids,
      ...body,
      ...seen(verb, part[0]!),
    });
    results.push(...answer.results);
  }
  const refused = results.filter(({ code }) => code !== null);
  const done = results.length - refused.length;
  if (refused.length === 0) return { text: `${done} alerts ${DONE[verb]}.`, tone: 'done' };
  return {
    text: [`${done} of ${results.length} alerts ${DONE[verb]}.`, ...new Set(refused.map(refusalText))].join(
      ' ',
    ),
    tone: 'failed',
  };
}

/** Batches of alerts that were seen in the same state. */
function batchesOf(targets: readonly Target[]): Target[][] {
  const byState = [...new Set(targets.map(({ state }) => state))].map((state) =>
    targets.filter((target) => target.state === state),
  );
  return byState.flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / MAX_BATCH) }, (_, part) =>
      group.slice(part * MAX_BATCH, (part + 1) * MAX_BATCH),
    ),
  );
}

/** Acknowledging requires an open alert anyway. */
function seen(verb: AlertVerb, { state }: Target): object {
  return verb === 'acknowledge' || state === undefined ? {} : { seen_state: state };
}

async function runOnOne(verb: AlertVerb, target: Target, body: object): Promise<Message> {
  const { id } = target;
  try {
    await post(`/v1/alerts/${id}/${verb}`, { ...body, ...seen(verb, target) });
    return { text: `Alert ${DONE[verb]}.`, tone: 'done' };
  } catch (error) {
    if (!isProblem(error, 'alert_not_open')) throw error;
    const { state, history } = await get<AlertDetail>(`/v1/alerts/${id}`);
    const last = history.findLast(({ event }) => LEADS_TO[state].includes(event));
    const text = refusalText({ id, code: error.code, state, by: last?.by ?? null, at: last?.at ?? null });
    return { text, tone: 'failed' };
  }
}

/** The history events that lead to a state. */
const LEADS_TO: Record<AlertState, readonly string[]> = {
  open: ['raised', 'snoozed'],
  acknowledged: ['acknowledged', 'confirmed', 'dismissed'],
  closed: ['closed_by_staff'],
  resolved: ['resolved', 'missed'],
  retracted: ['retracted'],
};

/** Why an action was refused: who changed the alert first, and when. */
function refusalText({ state, by, at }: Result): string {
  const who = by === null || by === 'notifier' ? undefined : by;
  const when = at === null ? '' : `, ${dayAndTime(Date.parse(at), VIEWER_ZONE, now())}`;
  switch (state) {
    case 'acknowledged':
      return `${who ?? 'Someone'} acknowledged it first${when}.`;
    case 'open':
      return `${who ?? 'Someone'} snoozed it in the meantime${when}.`;
    case 'closed':
      return `${who ?? 'Someone'} closed it first${when}.`;
    case 'resolved':
      return `It had ended before${when}.`;
    case 'retracted':
      return 'It was retracted in the meantime.';
    case null:
      return 'It was erased with its bottle.';
  }
}
