import { useMutation } from '@tanstack/react-query';
import { isProblem } from '../../api/problem.js';
import { get, post } from '../../api/request.js';
import type { AlertDetail } from '../../api/types.js';
import { queries } from '../../app/services.js';
import { notify } from '../../ui/notify.js';
import { explain } from '../../ui/States.js';

export type AlertVerb = 'acknowledge' | 'snooze' | 'resolve';

/** What somebody does about alerts. */
export interface AlertAction {
  verb: AlertVerb;
  ids: readonly string[];
  note?: string | undefined;
  /** For a snooze. */
  until?: string | undefined;
}

interface BulkAnswer {
  results: { id: string; status: string | number; code?: string }[];
}

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

async function act({ verb, ids, note, until }: AlertAction): Promise<Message> {
  const body = { ...(note ? { note } : {}), ...(until === undefined ? {} : { until }) };
  const [only] = ids;
  if (ids.length === 1 && only !== undefined) return actOnOne(verb, only, body);
  const { results } = await post<BulkAnswer>(`/v1/alerts/${verb}`, { ids, ...body });
  const refused = results.filter(({ code }) => code !== undefined).length;
  const done = results.length - refused;
  if (refused === 0) return { text: `${done} alerts ${DONE[verb]}.`, tone: 'done' };
  return {
    text: `${done} of ${results.length} alerts ${DONE[verb]}. Somebody else was first with the others, or they have ended.`,
    tone: 'failed',
  };
}

async function actOnOne(verb: AlertVerb, id: string, body: object): Promise<Message> {
  try {
    await post(`/v1/alerts/${id}/${verb}`, body);
    return { text: `Alert ${DONE[verb]}.`, tone: 'done' };
  } catch (error) {
    if (!isProblem(error, 'alert_not_open')) throw error;
    return { text: await whoWasFirst(id), tone: 'failed' };
  }
}

/** Two people on one alert: the second hears of the first. */
async function whoWasFirst(id: string): Promise<string> {
  const { state, history } = await get<AlertDetail>(`/v1/alerts/${id}`);
  const last = history.findLast(({ event }) => event === state);
  const by = last === undefined || last.by === 'notifier' ? undefined : last.by;
  switch (state) {
    case 'acknowledged':
      return `${by ?? 'Somebody'} was first: the alert is acknowledged already.`;
    case 'resolved':
      return by ? `${by} has resolved it already.` : 'It is over already.';
    default:
      return 'It was taken back: it was never true.';
  }
}
