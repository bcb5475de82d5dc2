import type { Scenario } from '../file/format.js';
import { DAY, MINUTE } from '../generate/oracle/facts.js';
import type { About } from './about.js';
import type { Allowed } from './allowed.js';

/** A link is valid for so long after it is sent. */
const LIFETIME = 3 * DAY;

/** A link that belongs to this notification, received at this moment; with several, to one of them. */
export function linkOf(
  ids: readonly string[] | undefined,
  { at, facts: { scenario } }: Pick<About, 'at' | 'facts'>,
): Allowed {
  const mayBeSentAt = (sentAt: number): boolean =>
    sentAt === at || (sentAt < at && writtenSince(scenario, at) <= sentAt);
  return {
    allows: (shown) => {
      const claim = claimOf(String(shown));
      const sentAt = (claim?.expires ?? 0) - LIFETIME;
      return claim !== undefined && (ids?.includes(claim.id) ?? true) && mayBeSentAt(sentAt);
    },
    text: `a link of ${ids?.join(' or ') ?? 'a notification'} that is valid for three days`,
  };
}

/** When what is received at a moment was written at the earliest: a notifier may have been frozen as it sent it. */
function writtenSince({ events }: Scenario, at: number): number {
  const changes = events.flatMap((event) =>
    event.type === 'system' && event.at.getTime() <= at ? event : [],
  );
  const thaw = changes.findLast(({ change }) => change === 'thaw-notifiers');
  if (!thaw || at >= thaw.at.getTime() + MINUTE) return at;
  const frozen = changes.filter(({ change, at: from }) => change === 'freeze-notifier' && from <= thaw.at);
  return frozen.at(-1)?.at.getTime() ?? at;
}

/** The id of the notification that a link belongs to; undefined if it is none of ours. */
export function claimOf(url: string): { id: string; expires: number } | undefined {
  const token = /^https:\/\/support\.example\.test\/a\/([\w-]+)\.[\w-]+\.[\w-]+$/.exec(url)?.[1];
  if (token === undefined) return undefined;
  const [id, expires] = JSON.parse(Buffer.from(token, 'base64url').toString()) as [string, number];
  return { id, expires };
}

/** The link that a message has: `ask` to say what became of the dose, `acknowledge`, or none. */
export function linkKindOf(kind: string, event: string): 'ask' | 'acknowledge' | undefined {
  const isOpen = event === 'raised' || event === 'escalated';
  const asks = ['raised', 'escalated', 'missed', 'partial', 'unknown', 'monitored_again', 'not_taken_yet'];
  if ((kind === 'missed_dose' || kind === 'dose_reminder') && asks.includes(event)) return 'ask';
  if (event === 'unconfirmed') return 'ask';
  return isOpen ? 'acknowledge' : undefined;
}
