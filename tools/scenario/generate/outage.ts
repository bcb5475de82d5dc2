import { HOUR, MINUTE, SECOND } from './oracle/facts.js';

type Json = Record<string, unknown>;

/** What does not work: device-api, all notifiers, the database for both, or everything. */
export const OUTAGE_PARTS = ['device-api', 'notifier', 'database', 'all'] as const;
export type OutagePart = (typeof OUTAGE_PARTS)[number];

export interface Outage {
  part: OutagePart;
  minutes: number;
  /** Whether bottles send afterwards what they stored; the others do not come back. */
  hasBacklog: boolean;
}

/** Every length, with and without backlog. */
export function outagesOf(part: OutagePart): Outage[] {
  return [5, 15, 60, 300].flatMap((minutes) =>
    [true, false].map((hasBacklog) => ({ part, minutes, hasBacklog })),
  );
}

/** `database for 15 minutes, with backlog`. */
export function nameOfOutage({ part, minutes, hasBacklog }: Outage): string {
  return `${part} for ${minutes} minutes, ${hasBacklog ? 'with' : 'without'} backlog`;
}

const START = Date.parse('2026-03-02T06:00:00Z');
/** When the outage begins: between two ticks of the checks. */
const DOWN = START + 2 * HOUR + 30 * SECOND;
/** When the pills of this time are taken, unless they are forgotten. */
const TAKEN = DOWN + 3 * MINUTE;
const LATE_AFTER = 20 * MINUTE;
const MISSED_AFTER = 75 * MINUTE;
/** What is longer is a gap (`COVERAGE_GAP_AFTER`). */
const GAP_AFTER = 10 * MINUTE;
/** Then the contacts are notified whose doses nothing has settled (`COVERAGE_GRACE`). */
const GRACE_AFTER_GAP = 30 * MINUTE;
/** So long after the first contact since an outage its backlog may follow. */
const BACKLOG_GRACE = 2 * MINUTE;
/** So much coverage without a contact is a silence (`SILENT_BOTTLE_AFTER`), and how often it is checked. */
const SILENCE = HOUR;
const SILENCE_CHECK = 5 * MINUTE;
/** A check and the delivery after it. */
const TICK = MINUTE + 30 * SECOND;
const BEATS_EVERY = 10 * MINUTE;
/** The last heartbeat before the outage. */
const LAST_BEAT = START + 113 * MINUTE;

const iso = (at: number): string => new Date(at).toISOString();
const wallClock = (at: number): string => iso(at).slice(11, 16);

/** What happens to one bottle. */
interface BottleCase {
  key: string;
  user: string;
  dose: number;
  events: Json[];
  /** What its contacts are sent. */
  messages: Json[];
  outcome: string;
}

/**
 * One outage of ours amid bottles of all kinds, as a scenario. What must be sent is written down for each kind of
 * bottle, without the oracle of the made-up fleets.
 */
export function outageScenario(outage: Outage): Json {
  const { part, minutes, hasBacklog } = outage;
  const up = DOWN + minutes * MINUTE;
  const end = up + 100 * MINUTE;
  const isDeaf = part !== 'notifier';
  const isBlind = part !== 'device-api';
  const isLong = minutes * MINUTE > GAP_AFTER;
  const isGap = isDeaf && isLong;

  const message = (about: { key?: string; to?: string }, kind: string, event: string, at: number): Json => ({
    ...(about.key !== undefined && { bottle: about.key }),
    kind,
    event,
    ...(about.to === undefined ? { channel: 'webhook' } : { channel: 'email', to: about.to }),
    after: iso(at),
    before: iso(at + (kind === 'bottle_silent' ? SILENCE_CHECK : 0) + TICK),
  });
  const beats = (key: string, from: number, until: number): Json => ({
    at: iso(from),
    bottle: key,
    heartbeats: { every: '10m', until: iso(until) },
  });
  const untilOutage = (key: string): Json => beats(key, START + 3 * MINUTE, DOWN);
  const taken = (key: string, at: number, sentAt: number): Json => ({
    at: iso(sentAt),
    bottle: key,
    batch: { items: [{ type: 'action', action: 'closed', time: iso(at), pills_taken: 1 }] },
  });
  /** Reports all the time; what is lost in the outage is lost. */
  const always = (key: string): Json[] => [
    untilOutage(key),
    beats(key, DOWN + 2.5 * MINUTE, up),
    beats(key, up + MINUTE, end),
  ];
  /** Is offline with us, and comes back so long after us with what it stored. */
  const comesBack = (key: string, after: number): Json[] => [
    untilOutage(key),
    taken(key, TAKEN, up + after),
    beats(key, up + after + 10 * SECOND, end),
  ];
  /** When a notifier knows what is known at a moment. */
  const noticed = (at: number): number => (isBlind && at >= DOWN && at < up ? up : at);
  /** When the silence of a bottle is seen that does not come back. */
  const silentAt = isDeaf ? up + SILENCE - (DOWN + 10 * SECOND - LAST_BEAT) : noticed(LAST_BEAT + SILENCE);
  const isSilentBefore = (back: number): boolean => silentAt < up + back;
  /** When a bottle that reports all the time has shown that by then no pills were removed. */
  const shown = (moment: number): number => {
    const contacts = [...Array(60).keys()].flatMap((index) => [
      ...(!isDeaf && DOWN + 2.5 * MINUTE + index * BEATS_EVERY < up
        ? [DOWN + 2.5 * MINUTE + index * BEATS_EVERY]
        : []),
      up + MINUTE + index * BEATS_EVERY,
    ]);
    const contact = Math.min(...contacts.filter((at) => at > moment));
    return noticed(isDeaf && contact === up + MINUTE ? contact + BACKLOG_GRACE : contact);
  };
  const unconfirmedAt = up + GRACE_AFTER_GAP + 30 * SECOND;
  const unconfirmed = (...to: string[]): Json[] =>
    isGap ? to.map((address) => message({ to: address }, 'coverage_gap', 'unconfirmed', unconfirmedAt)) : [];
  const silent = (key: string, to: string): Json => message({ key, to }, 'bottle_silent', 'raised', silentAt);

  const dose = START + 122 * MINUTE;
  /** A dose that was due before the outage and could be taken until it had begun. */
  const earlier = START + 115 * MINUTE;
  const mail = (user: string): string => `${user}@example.test`;

  /** Takes the dose in the outage. */
  const keeps = (key: string, user: string, due: number): BottleCase => ({
    key,
    user,
    dose: due,
    ...(hasBacklog
      ? { events: comesBack(key, 2 * MINUTE), messages: [], outcome: 'taken_on_time' }
      : { events: [untilOutage(key)], messages: [silent(key, mail(user))], outcome: 'unknown' }),
  });
  const forgets = (): BottleCase => {
    const [late, missed] = [shown(dose + LATE_AFTER), shown(dose + MISSED_AFTER)];
    const to = { key: 'forgot', to: mail('forgot') };
    return {
      key: 'forgot',
      user: 'forgot',
      dose,
      events: always('forgot'),
      messages: [
        // what is late and missed at once is missed
        ...(late < missed ? [message(to, 'missed_dose', 'raised', late)] : []),
        message(to, 'missed_dose', 'missed', missed),
      ],
      outcome: 'missed',
    };
  };
  /** Comes back when the grace is over. */
  const comesLate = (): BottleCase => {
    const [key, after] = ['tardy', 35 * MINUTE];
    const to = { key, to: mail(key) };
    const back = up + after;
    return {
      key,
      user: key,
      dose,
      events: comesBack(key, after),
      messages: [
        ...unconfirmed(mail(key)),
        ...(isGap ? [message(to, 'coverage_gap', 'retracted', back)] : []),
        ...(isSilentBefore(after)
          ? [silent(key, mail(key)), message(to, 'bottle_silent', 'resolved', back)]
          : []),
      ],
      outcome: 'taken_on_time',
    };
  };
  const kept = keeps('kept', 'kept', dose);
  const [pair, other] = [keeps('pair', 'pair', dose), keeps('other', 'pair', earlier)];
  const cases: BottleCase[] = [
    { ...kept, messages: [...kept.messages, ...(hasBacklog ? [] : unconfirmed(mail('kept')))] },
    // one message for both bottles, and one for the carer
    {
      ...pair,
      messages: [...pair.messages, ...(hasBacklog ? [] : unconfirmed(mail('pair'), mail('carer')))],
    },
    other,
    forgets(),
    ...(hasBacklog ? [comesLate()] : []),
    {
      // does not come back, but somebody says that the dose was taken
      key: 'stated',
      user: 'stated',
      dose,
      events: [
        untilOutage('stated'),
        {
          at: iso(up + 10 * MINUTE),
          staff: { attest: { bottle: 'stated', scheduled_at: iso(dose), kind: 'taken' } },
        },
      ],
      messages: [silent('stated', mail('stated'))],
      outcome: 'unknown',
    },
    {
      // was silent before, and its contact was notified
      key: 'silent',
      user: 'silent',
      dose,
      events: [beats('silent', START + MINUTE, START + MINUTE)],
      messages: [
        message({ key: 'silent', to: mail('silent') }, 'bottle_silent', 'raised', START + MINUTE + SILENCE),
      ],
      outcome: 'unknown',
    },
    ...[START + 90 * MINUTE, up - 30 * SECOND + 20 * MINUTE].map((at, index): BottleCase => {
      const key = ['before', 'after'][index]!;
      const events = [...always(key), taken(key, at + MINUTE, at + MINUTE + SECOND)];
      return { key, user: key, dose: at, events, messages: [], outcome: 'taken_on_time' };
    }),
  ];
  const gaps = [
    // while a notifier runs, the beginning is sent, too
    ...(isGap && !isBlind ? [message({}, 'coverage_gap', 'raised', DOWN + 10 * SECOND + GAP_AFTER)] : []),
    ...[isDeaf, isBlind]
      .filter((isDown) => isDown && isLong)
      .map(() => message({}, 'coverage_gap', 'resolved', up)),
  ];
  return {
    name: nameOfOutage(outage),
    start: iso(START),
    end: iso(end),
    bottles: cases.map(({ key, user, dose: due }) => ({
      key,
      user_id: user,
      medication: 'Cordrazine',
      time_zone: 'UTC',
      number_of_pills: 30,
      schedule: {
        kind: 'times_of_day',
        times: [wallClock(due)],
        late_after: `${LATE_AFTER / MINUTE}m`,
        missed_after: `${MISSED_AFTER / MINUTE}m`,
      },
    })),
    contacts: [...new Set(cases.map(({ user }) => user))].map((user) => ({
      user_id: user,
      email: mail(user),
      time_zone: 'UTC',
      ...(user === 'pair' && {
        carer: { email: mail('carer') },
        escalation: [
          { after: '0m', to: 'user' },
          { after: '0m', to: 'carer', kinds: ['missed_dose'] },
        ],
      }),
    })),
    events: [...cases.flatMap(({ events }) => events), ...outageEvents(part, up)],
    expect: {
      messages: [...gaps, ...cases.flatMap(({ messages }) => messages)],
      outcomes: cases.map(({ key, dose: due, outcome }) => ({
        bottle: key,
        scheduled_at: iso(due),
        outcome,
      })),
      status: [],
    },
  };
}

function outageEvents(part: OutagePart, up: number): Json[] {
  const stops = {
    'device-api': ['stop-device-api'],
    notifier: ['kill-notifier', 'kill-notifier'],
    database: ['stop-database'],
    all: ['stop-device-api', 'kill-notifier', 'kill-notifier', 'stop-database'],
  }[part];
  const starts = {
    'device-api': ['start-device-api'],
    notifier: ['two-notifiers'],
    database: ['start-database'],
    all: ['start-database', 'start-device-api', 'two-notifiers'],
  }[part];
  return [
    { at: iso(START), system: 'two-notifiers' },
    ...stops.map((system) => ({ at: iso(DOWN), system })),
    ...starts.map((system) => ({ at: iso(up), system })),
  ];
}
