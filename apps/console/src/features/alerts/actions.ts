import { useMutation } from '@tanstack/react-query';
import { isProblem } from '../../api/http.js';
import { get, post } from '../../api/request.js';
import type { AlertDetail, AlertState } from '../../api/types.js';
import { queries } from '../../app/services.js';
import { now } from '../../time/clock.js';
import { dayAndTime, VIEWER_ZONE } from '../../time/format.js';
import { notify } from '../../ui/notify.js';
import { explain } from '../../ui/States.js';

export type AlertVerb = 'acknowledge' | 'snooze' | 'resolve';

/** An alert, in the state in which it was seen: what somebody else has done since is not undone. */
export interface Target {
  id: string;
  state?: AlertState;
}

/** What somebody does about alerts. */
export interface AlertAction {
  verb: AlertVerb;
  targets: readonly Target[];
  note?: string | undefined;
  /** For a snooze. */
  until?: string | undefined;
}

/** What became of one of many. */
interface Result {
  id: string;
  code: string | null;
  state: AlertState | null;
  by: string | null;
  at: string | null;
}

/** As many as the server takes at once. */
const AT_ONCE = 200;

const DONE: Record<AlertVerb, string> = {
  acknowledge: 'acknowledged',
  snooze: 'snoozed',
  resolve: 'resolved',
};

/** Does something about one alert or many, and says what came of it. */
export function useAlertAction(after?: () => void) {
  return useMutation({
    mutationFn: (action: AlertAction) => act(action),
    onSuccess: (message) => {
      notify(message.text, message.tone);
      after?.();
    },
    onError: (error) => notify(explain(error).join('. '), 'failed'),
    onSettled: () =>
      Promise.all(
        [['alerts'], ['alert'], ['bottle'], ['fleet']].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

interface Message {
  text: string;
  tone: 'done' | 'failed';
}

async function act({ verb, targets, note, until }: AlertAction): Promise<Message> {
  const body = { ...(note ? { note } : {}), ...(until === undefined ? {} : { until }) };
  const [only] = targets;
  if (targets.length === 1 && only !== undefined) return actOnOne(verb, only, body);
  const results: Result[] = [];
  for (const part of partsOf(targets)) {
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
    text: [`${done} of ${results.length} alerts ${DONE[verb]}.`, ...new Set(refused.map(whyNot))].join(' '),
    tone: 'failed',
  };
}

/** Alerts that were seen in the same state, as many as can be sent at once. */
function partsOf(targets: readonly Target[]): Target[][] {
  const byState = [...new Set(targets.map(({ state }) => state))].map((state) =>
    targets.filter((target) => target.state === state),
  );
  return byState.flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / AT_ONCE) }, (_, part) =>
      group.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
    ),
  );
}

/** To acknowledge, it must be open anyway. */
function seen(verb: AlertVerb, { state }: Target): object {
  return verb === 'acknowledge' || state === undefined ? {} : { seen_state: state };
}

async function actOnOne(verb: AlertVerb, target: Target, body: object): Promise<Message> {
  const { id } = target;
  try {
    await post(`/v1/alerts/${id}/${verb}`, { ...body, ...seen(verb, target) });
    return { text: `Alert ${DONE[verb]}.`, tone: 'done' };
  } catch (error) {
    if (!isProblem(error, 'alert_not_open')) throw error;
    const { state, history } = await get<AlertDetail>(`/v1/alerts/${id}`);
    const last = history.findLast(({ event }) => LEADS_TO[state].includes(event));
    const text = whyNot({ id, code: error.code, state, by: last?.by ?? null, at: last?.at ?? null });
    return { text, tone: 'failed' };
  }
}

/** What brings an alert into a state. */
const LEADS_TO: Record<AlertState, readonly string[]> = {
  open: ['raised', 'snoozed'],
  acknowledged: ['acknowledged', 'confirmed', 'dismissed'],
  resolved: ['resolved', 'missed'],
  retracted: ['retracted'],
};

/** Two people on one alert: the second hears who was first, and when. */
function whyNot({ state, by, at }: Result): string {
  const who = by === null || by === 'notifier' ? undefined : by;
  const when = at === null ? '' : `, ${dayAndTime(Date.parse(at), VIEWER_ZONE, now())}`;
  switch (state) {
    case 'acknowledged':
      return `${who ?? 'Somebody'} was first: acknowledged already${when}.`;
    case 'open':
      return `${who ?? 'Somebody'} has snoozed it meanwhile${when}.`;
    case 'resolved':
      return who ? `${who} has resolved it already${when}.` : `It was over already${when}.`;
    case 'retracted':
      return 'It was taken back: it was never true.';
    case null:
      return 'It was erased with its bottle.';
  }
}
