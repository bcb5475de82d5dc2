import type { CloseReason } from '../../api/vocabulary.js';
import { isProblem } from '../../api/http.js';
import { get, request } from '../../api/request.js';
import type { Alert, AlertDetail } from '../../api/schema.js';
import type { AlertState } from '../../api/vocabulary.js';
import { now } from '../../time/clock.js';
import { dayAndTime, VIEWER_ZONE } from '../../time/format.js';
import { actorName } from '../bottle/reported-text.js';
import { t } from '../../i18n/i18n.js';

export type AlertVerb = 'acknowledge' | 'snooze' | 'close' | 'assign';

/** An alert in the state in which it was seen: a change that someone else made since is not undone. */
export interface Target {
  id: string;
  state?: AlertState;
  /** Whom it was assigned to, as in `to`: an assignment undoes no other. */
  assignee?: string;
}

/** A person's action on alerts. */
export interface AlertAction {
  verb: AlertVerb;
  targets: readonly Target[];
  note?: string | undefined;
  /** For a snooze: an ISO 8601 instant. */
  until?: string | undefined;
  /** Of a closing. */
  reason?: CloseReason | undefined;
  notify?: boolean;
  /** Of an assignment: `me`, `nobody`, or the id of an account. */
  to?: string;
}

/** The result for one of several alerts. */
interface Result {
  id: string;
  code: string | null;
  state: AlertState | null;
  assigned_to: Alert['assigned_to'];
  by: string | null;
  at: string | null;
}

/** The most that the server accepts in one request. */
export const MAX_BATCH = 200;

interface DoneTexts {
  one: string;
  several: (count: number) => string;
  /** Others were refused. */
  some: (done: number, all: number) => string;
}

const DONE: Record<AlertVerb, DoneTexts> = {
  acknowledge: {
    one: t('Alert acknowledged.'),
    several: (count) => t('{{count, number}} alerts acknowledged.', { count }),
    some: (done, all) => t('{{done}} of {{all}} alerts acknowledged.', { done, all }),
  },
  snooze: {
    one: t('Alert snoozed.'),
    several: (count) => t('{{count, number}} alerts snoozed.', { count }),
    some: (done, all) => t('{{done}} of {{all}} alerts snoozed.', { done, all }),
  },
  close: {
    one: t('Alert closed.'),
    several: (count) => t('{{count, number}} alerts closed.', { count }),
    some: (done, all) => t('{{done}} of {{all}} alerts closed.', { done, all }),
  },
  assign: {
    one: t('Alert assigned.'),
    several: (count) => t('{{count, number}} alerts assigned.', { count }),
    some: (done, all) => t('{{done}} of {{all}} alerts assigned.', { done, all }),
  },
};

/** What became of an action. */
interface Message {
  text: string;
  tone: 'done' | 'failed';
}

const post = <T>(path: string, body: object): Promise<T> =>
  request<T>('POST', path, { body, keepalive: true });

/** Acts on one alert or several. @throws ApiError */
export async function run({ verb, targets, ...given }: AlertAction): Promise<Message> {
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
  const texts = DONE[verb];
  if (refused.length === 0) return { text: texts.several(done), tone: 'done' };
  return {
    text: [texts.some(done, results.length), ...new Set(refused.map(refusalText))].join(' '),
    tone: 'failed',
  };
}

/** Batches of alerts that were seen in the same state, assigned to the same person. */
function batchesOf(targets: readonly Target[]): Target[][] {
  const seenAs = ({ state, assignee }: Target): string => `${state} ${assignee}`;
  const bySeen = [...new Set(targets.map(seenAs))].map((as) =>
    targets.filter((target) => seenAs(target) === as),
  );
  return bySeen.flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / MAX_BATCH) }, (_, part) =>
      group.slice(part * MAX_BATCH, (part + 1) * MAX_BATCH),
    ),
  );
}

/** Acknowledging requires an open alert anyway. */
function seen(verb: AlertVerb, { state, assignee }: Target): object {
  if (verb === 'assign') return assignee === undefined ? {} : { seen_assignee: assignee };
  return verb === 'acknowledge' || state === undefined ? {} : { seen_state: state };
}

async function runOnOne(verb: AlertVerb, target: Target, body: object): Promise<Message> {
  const { id } = target;
  try {
    await post(`/v1/alerts/${id}/${verb}`, { ...body, ...seen(verb, target) });
    return { text: DONE[verb].one, tone: 'done' };
  } catch (error) {
    if (!isProblem(error, 'alert_not_open') && !isProblem(error, 'assigned_meanwhile')) throw error;
    const { code } = error;
    const { state, history, assigned_to } = await get<AlertDetail>(`/v1/alerts/${id}`);
    const events = code === 'assigned_meanwhile' ? ASSIGNMENTS : LEADS_TO[state];
    const last = history.findLast(({ event }) => events.includes(event));
    const text = refusalText({
      id,
      code,
      state,
      assigned_to,
      by: last?.by_name ?? last?.by ?? null,
      at: last?.at ?? null,
    });
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

const ASSIGNMENTS: readonly string[] = ['assigned', 'unassigned'];

/** Why an action was refused: who changed the alert first, and when. */
function refusalText({ code, state, assigned_to, by, at }: Result): string {
  if (code === 'database_error') return t('The database failed for some of them. Try these again.');
  const who = by === null || by === 'notifier' ? t('Someone') : actorName(by);
  const when = at === null ? '' : `, ${dayAndTime(Date.parse(at), VIEWER_ZONE, now())}`;
  if (code === 'assigned_meanwhile') {
    return assigned_to
      ? t('{{who}} assigned it to {{name}} first{{when}}.', { who, name: assigned_to.name, when })
      : t('{{who}} assigned it to nobody in the meantime{{when}}.', { who, when });
  }
  switch (state) {
    case 'acknowledged':
      return t('{{who}} acknowledged it first{{when}}.', { who, when });
    case 'open':
      return t('{{who}} snoozed it in the meantime{{when}}.', { who, when });
    case 'closed':
      return t('{{who}} closed it first{{when}}.', { who, when });
    case 'resolved':
      return t('It had ended before{{when}}.', { when });
    case 'retracted':
      return t('It was retracted in the meantime.');
    case null:
      return t('It was erased with its bottle.');
  }
}
