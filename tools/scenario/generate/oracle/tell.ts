import type { AlertStory, HouseFacts, Stretch } from './facts.js';
import { MINUTE, SECOND } from './facts.js';
import type { ContactPlan, Listener, TellingStep } from './contact-plan.js';
import type { WallClocks } from './wall-clock.js';

/** What staff did about an alert. */
export interface StaffAct {
  act: 'acknowledge' | 'resolve';
  at: number;
}

/** A message that somebody has to hear, at `at` or, by the latest, at `by`. */
export interface Told {
  bottle: string;
  kind: string;
  event: 'raised' | 'escalated' | 'missed' | 'resolved' | 'retracted';
  channel: 'webhook' | 'email';
  at: number;
  by: number;
}

/** Kinds that wake people up. */
const CRITICAL = ['extra_dose'];

/** One line to one person: what goes into it, and what was heard. */
interface Line {
  listener: Listener;
  channel: 'webhook' | 'email';
  /** Whether a message of trouble was ever meant for it. */
  hasNews: boolean;
  /** When the first message of trouble was heard. */
  heardAt?: number;
}

/** The messages of one alert's story. */
export function tell(
  story: AlertStory,
  { user, carer, steps }: ContactPlan,
  acts: readonly StaffAct[],
  house: Pick<HouseFacts, 'notifying' | 'to'>,
  walls: WallClocks,
): Told[] {
  const ends = withStaff(story, acts);
  const endedAt = ends[0]?.at ?? Infinity;
  const acknowledgedAt = acts.find(({ act }) => act === 'acknowledge')?.at ?? Infinity;
  const lines: Line[] = [user, ...(carer ? [carer] : [])].flatMap((listener) =>
    listener.channels.map((channel) => ({ listener, channel, hasNews: false })),
  );
  const heard: Told[] = [];
  const hear = (line: Line, event: Told['event'], at: number): void => {
    if (at > house.to) return;
    const { bottle, kind } = story;
    heard.push({
      bottle,
      kind,
      event,
      channel: line.channel,
      at,
      by: Math.max(at, at + story.raisedBy - story.raisedAt),
    });
  };

  const queued = new Set<string>();
  const putOff = new Set<string>();
  for (const { due, step, to, event, again } of dueMessages(story, steps, Math.min(endedAt, house.to))) {
    const queuedAt = whenNotified(due, house.notifying);
    // at one tick what is over is noted before anything is sent
    const isOwed = due === story.raisedAt || (queuedAt < endedAt && queuedAt < acknowledgedAt);
    // a step that came round again and again while nobody sent is told once
    if (!isOwed || queued.has(`${step} ${queuedAt}`)) continue;
    queued.add(`${step} ${queuedAt}`);
    for (const line of lines.filter(
      ({ listener }) => listener === (to === 'carer' ? (carer ?? user) : user),
    )) {
      line.hasNews = true;
      const at = whenAwake(queuedAt, line.listener, story.kind);
      // what comes round again and again in one night is told once in the morning
      if (again && at > queuedAt) {
        const morning = `${step} ${at} ${line.listener.who} ${line.channel}`;
        if (putOff.has(morning)) continue;
        putOff.add(morning);
      }
      if (at >= endedAt || (event === 'escalated' && at > queuedAt && at >= acknowledgedAt)) continue;
      line.heardAt ??= at;
      hear(line, event, at);
    }
  }
  ends.forEach(({ at, says }, index) => {
    if (says === undefined) return;
    const correctedAt = ends[index + 1]?.at ?? Infinity;
    for (const line of lines.filter(({ hasNews }) => hasNews)) {
      const sentAt = whenAwake(whenNotified(at, house.notifying), line.listener, story.kind);
      if (sentAt >= correctedAt) continue;
      // "missed" is news of its own; of any other end hears who has heard of the trouble
      if (says !== 'missed' && (line.heardAt ?? Infinity) > sentAt) continue;
      line.heardAt ??= sentAt;
      hear(line, says, sentAt);
    }
  });
  return heard;

  /** Quiet hours put a message off to their end, and while nobody sends, further. */
  function whenAwake(from: number, { quiet, zone }: Listener, kind: string): number {
    if (!quiet || CRITICAL.includes(kind)) return from;
    let at = from;
    while (at <= house.to && isQuiet(quiet, walls.in(zone).timeAt(at))) {
      at = whenNotified((Math.floor(at / MINUTE) + 1) * MINUTE, house.notifying);
    }
    return at;
  }
}

interface Due {
  due: number;
  /** Which step, in the order of the plan. */
  step: number;
  to: 'user' | 'carer';
  event: 'raised' | 'escalated';
  /** Whether the step has come round before. */
  again: boolean;
}

/** Every message of trouble that is due until `until`, in order. */
function dueMessages({ kind, raisedAt }: AlertStory, steps: readonly TellingStep[], until: number): Due[] {
  const meant = steps.filter(({ kinds }) => !kinds || kinds.includes(kind));
  const first = Math.min(...meant.map(({ after }) => raisedAt + after));
  const dues: Due[] = [];
  meant.forEach(({ after, repeat = Infinity, to }, step) => {
    for (let due = raisedAt + after; due <= until; due += repeat) {
      const again = due > raisedAt + after;
      const isFirst = due === first && !again;
      dues.push({ due, step, to, event: isFirst ? 'raised' : 'escalated', again });
    }
  });
  return dues.sort((one, other) => one.due - other.due);
}

/** When a notifier next sends: at once, or at the second after one is started. */
function whenNotified(at: number, notifying: readonly Stretch[]): number {
  if (notifying.some(({ from, to }) => from <= at && at < to)) return at;
  const next = notifying.find(({ from }) => from > at);
  return next ? Math.ceil(next.from / SECOND) * SECOND : Infinity;
}

export function isQuiet({ from, to }: { from: string; to: string }, time: string): boolean {
  return from < to ? from <= time && time < to : from <= time || time < to;
}

/** Staff may declare it over before it is: then what would have ended it ends nothing. */
function withStaff({ ends }: AlertStory, acts: readonly StaffAct[]): AlertStory['ends'] {
  const resolvedAt = acts.find(({ act }) => act === 'resolve')?.at;
  return resolvedAt === undefined ? ends : [{ at: resolvedAt, says: 'resolved' }];
}
