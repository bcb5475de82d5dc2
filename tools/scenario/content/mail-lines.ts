import type { Evidence, MailPart } from './content.js';
import { momentOf, TIME } from './mail-times.js';
import { AMOUNT, pillsOf } from './pill-amounts.js';

/** What a mail says of one alert, read line by line. Times are ISO 8601. */
export interface MailSays {
  name?: string;
  subject?: string;
  raised?: string;
  ended?: string;
  link?: { kind: 'ask' | 'acknowledge'; url: string };
  closed?: { title: string; by: string; reason: string; note?: string };
  evidence: Evidence;
  /** Of `summary` and `unconfirmed`. */
  doses: { name: string; subject: string; link?: string; evidence: Evidence }[];
  /** What no mail of this kind and event says. */
  problems: string[];
}

/** A line that mails of some kind have, what it says, and after which it comes. */
interface Line {
  pattern: RegExp;
  /** @param found the groups of the pattern, times as ISO 8601 */
  read: (found: string[], says: MailSays, event: string) => void;
  /** Which events must have it, by the title of the mail, too; without it none must. */
  needed?: (event: string, title: string) => boolean;
  /** Whether there may be several. */
  repeats?: true;
}

const line = (text: string, read: Line['read'], more: Omit<Line, 'pattern' | 'read'> = {}): Line => ({
  pattern: new RegExp(`^${text.replaceAll('<time>', `(${TIME})`).replaceAll('<pills>', `(${AMOUNT})`)}$`),
  read,
  ...more,
});

const always = (): boolean => true;
const isOpen = (event: string): boolean => event === 'raised' || event === 'escalated';
/** Of a bottle that is another person's now, its title says it all (LIFE-5). */
const isAnothers = (title: string): boolean => title === 'Bottle is another person’s now';
const isEnd = (event: string): boolean => !isOpen(event) && event !== 'closed_by_staff';

const REASONS: Record<string, string> = {
  'the device is faulty': 'device_fault',
  'another alert is about the same': 'duplicate',
  'settled by phone': 'settled_by_phone',
  'no action is needed': 'not_relevant',
  'the bottle is no longer in use': 'not_in_use',
};
const SKIPPED: Record<string, string> = {
  forgotten: 'forgot',
  'felt better': 'felt_better',
  'no pills left': 'ran_out',
  'on medical advice': 'doctors_advice',
  'a side effect': 'side_effect',
  'not needed': 'not_needed',
  'not at home': 'away',
  'another reason': 'other',
};

const HEAD: Line[] = [line('(.+, .+)\\.', ([name], says) => void (says.name = name!), { needed: always })];

const CLOSING: Line[] = [
  line('Alert: (.+)\\.', ([title], says) => void (says.closed = { title: title!, by: '', reason: '' }), {
    needed: (event) => event === 'closed_by_staff',
  }),
  line(
    'Closed by (.+)\\. Reason: (.+)\\.',
    ([by, text], says) => {
      const reason = REASONS[text!] ?? 'other';
      says.closed = {
        title: says.closed?.title ?? '',
        by: by!,
        reason,
        ...(!REASONS[text!] && { note: text! }),
      };
    },
    { needed: (event) => event === 'closed_by_staff' },
  ),
];

const NOTICED = line('Noticed: <time>\\.', ([at], says) => void (says.raised = at!), { needed: always });

const TAIL: Line[] = [
  line('Ended: <time>\\.', ([at], says) => void (says.ended = at!), { needed: isEnd }),
  line('Taken(, later)? or skipped\\? (\\S+)', ([later, url], says, event) => {
    says.link = { kind: 'ask', url: url! };
    // a dose that is over cannot be promised (ATTEST-12)
    if ((later !== undefined) !== isOpen(event))
      says.problems.push(`it asks "Taken${later ?? ''} or skipped?"`);
  }),
  line('Acknowledge: (\\S+)', ([url], says) => void (says.link = { kind: 'acknowledge', url: url! })),
];

/** What staff's closing does not say. */
const AFTER_CLOSING: Record<string, string> = {
  missed_dose: 'This does not say whether the dose was taken. You get a message if it is missed.',
  doses_missed_in_a_row: 'Further doses may be missed.',
  bottle_open: 'The bottle may still be open.',
  bottle_silent: 'The bottle may still be offline.',
  low_supply: 'The pills may still be running low.',
  count_mismatch: 'Weight and pill count may still differ.',
  battery_low: 'The battery may still be low.',
  coverage_gap: 'The gap may last.',
};

const say =
  (field: string, value: (text: string) => unknown = (text) => text): Line['read'] =>
  ([text], { evidence }) =>
    void (evidence[field] = value(text!));
const reported =
  (field: string, value: (text: string) => unknown = (text) => text): Line['read'] =>
  ([text], { evidence }) =>
    void (evidence['reported'] = { ...(evidence['reported'] as object), [field]: value(text!) });

const WHY: Record<string, string> = {
  'The dose was complete without that.': 'beyond_dose',
  'No dose was due.': 'several_doses',
  'The schedule is paused.': 'schedule_paused',
  'The schedule had ended.': 'schedule_ended',
  'That is more than 24 hours allow.': 'over_daily_limit',
  'That is too soon after the last dose.': 'under_min_interval',
  'The dose was reported taken from elsewhere before.': 'taken_elsewhere',
  'The dose was reported skipped on medical advice before.': 'skipped_on_advice',
};

const UNREPORTED = line(
  'By its count, <pills> pills? left the bottle between <time> and <time>\\. The report of its closing was lost\\.',
  ([pills, from, until], { evidence }) =>
    void Object.assign(evidence, {
      unreported_pills: pillsOf(pills!),
      unreported_from: from,
      unreported_until: until,
    }),
);

const unclear = (why: string, pattern: string): Line =>
  line(pattern, ([at], { evidence }) => void (evidence['unclear_closing'] = { at, why }));

/** By which closing a dose may have been taken, though no report shows it. */
const UNCLEAR = {
  filled: unclear(
    'filled',
    'The bottle was filled at <time>, and no count shows whether pills were taken out then\\.',
  ),
  not_reported: unclear(
    'not_reported',
    'The bottle was closed at <time>, and did not report whether pills were taken out\\.',
  ),
};

/** Why a bottle is not monitored, as a mail says it. */
const PERIOD_REASONS: Record<string, string> = {
  pause: 'pause',
  'hospital stay': 'hospital',
  travel: 'travel',
  'doses from a pillbox': 'pillbox',
  'device fault': 'device_fault',
  'doses from another container': 'other_container',
  'bottle not in use': 'not_in_use',
};

const notMonitored = (
  pattern: string,
  keep: (says: MailSays, reason: string | undefined, event: string) => void,
): Line => line(pattern, ([text], says, event) => keep(says, PERIOD_REASONS[text!], event));

const NOT_MONITORED_NOW = notMonitored('Not monitored: (.+)\\.', ({ evidence }, reason) =>
  Object.assign(evidence, { not_monitored: reason }),
);

/**
 * Only a correction may leave out when the part was taken: what is on record of a dose does not say it.
 *
 * @param isHere whether a mail of this event says at this place which part of the dose was taken
 */
const partTaken = (isHere: (event: string) => boolean): Line =>
  line(
    '<pills> of <pills> pills? (?:was|were) taken(?:: <time>)?\\.',
    ([taken, of, at], { evidence, problems }, event) => {
      Object.assign(evidence, {
        pills_taken: pillsOf(taken!),
        pills_scheduled: pillsOf(of!),
        ...(at !== undefined && { part_taken_at: at }),
      });
      if (!isHere(event)) problems.push('it says at another place which part was taken');
      if (at === undefined && event !== 'corrected') problems.push('it does not say when the part was taken');
    },
  );

const OF_KIND: Record<string, Line[]> = {
  missed_dose: [
    line('Due: <time>\\.', ([at], says) => void (says.subject = at!), { needed: always }),
    partTaken((event) => event !== 'statement_withdrawn'),
    line('The bottle is monitored after all: a period was changed\\.', () => undefined, {
      needed: (event) => event === 'monitored_again',
    }),
    line(
      'By what the bottle has reported since, its pills are in the bottle or count for another dose\\.',
      () => undefined,
      { needed: (event) => event === 'not_taken_yet' },
    ),
    notMonitored('The bottle was not monitored at the time: (.+)\\.', ({ evidence }, reason) =>
      Object.assign(evidence, { outcome: 'not_monitored', period: { reason } }),
    ),
    line(
      'The bottle was open from <time> on: the pill may have been taken\\.',
      ([at], { evidence }, event) => {
        evidence[isOpen(event) ? 'open_since' : 'open_at_end_since'] = at;
      },
    ),
    line(
      "Removed for later, by (.+)'s word\\.",
      say('for_later_by', (text) => text.replace('staff', 'ADMIN_TOKEN')),
    ),
    line('Taken: <time>\\.', reported('taken_at')),
    line(
      'Reason: (.+)\\.',
      reported('reason', (text) => SKIPPED[text]),
    ),
    line('It is no longer reported (taken|skipped)\\. Changed by .+\\.', reported('was'), {
      needed: (event) => event === 'statement_withdrawn',
    }),
    line('The bottle recorded no dose\\.', (_, { evidence }) => void (evidence['outcome'] = 'missed')),
    partTaken((event) => event === 'statement_withdrawn'),
    UNREPORTED,
    UNCLEAR.filled,
    UNCLEAR.not_reported,
    notMonitored('Another bottle of the same plan was not monitored: (.+)\\.', ({ evidence }, reason) =>
      Object.assign(evidence, { outcome: 'unknown', period: { reason } }),
    ),
    line(
      '(The bottle was not connected at its end\\. )?Ask whether (it|the rest) was taken\\.',
      ([offline, what], { evidence, problems }) => {
        if ((what === 'it') !== (evidence['pills_taken'] === 0))
          problems.push(`it asks whether ${what} was taken`);
        const reasons = ['unreported_pills', 'unclear_closing', 'period'];
        const hasReason = reasons.some((reason) => evidence[reason] !== undefined);
        if ((offline === undefined) !== hasReason)
          problems.push('it gives no reason, or two, why the dose cannot be confirmed');
      },
      { needed: (event) => event === 'unknown' },
    ),
  ],
  dose_reminder: [
    line('Due: <time>\\.', ([at], says) => void (says.subject = at!), { needed: always }),
    partTaken(always),
    line('The bottle has not reported since <time>\\.', say('offline_since')),
    line('The bottle has never reported\\.', (_, { evidence }) => void (evidence['never_reported'] = true)),
    line('We cannot know whether the dose was taken\\.', (_, { evidence, problems }) => {
      if (evidence['offline_since'] === undefined && !evidence['never_reported'])
        problems.push('it does not say why the dose cannot be known');
    }),
  ],
  help_requested: [
    line(
      '(The patient|A carer) asks for help with the dose of <time>\\.',
      ([, at], says) => void (says.subject = at!),
      { needed: isOpen },
    ),
    line(
      'Whoever asked for help with the dose of <time> has withdrawn it\\.',
      ([at], says) => void (says.subject = at!),
      {
        needed: (event) => event === 'resolved',
      },
    ),
  ],
  bottle_open: [
    NOT_MONITORED_NOW,
    UNREPORTED,
    line('Check whether the bottle is closed\\.', (_, { evidence, problems }) => {
      if (evidence['unreported_pills'] === undefined) problems.push('it does not say why to check');
    }),
  ],
  doses_missed_in_a_row: [
    line(
      '(\\d+) doses in a row were missed\\. The first was due: <time>\\.',
      ([count, since], { evidence }) =>
        void Object.assign(evidence, { doses_missed: Number(count), missed_since: since }),
      { needed: (event) => event !== 'retracted' },
    ),
    line('The row ended with the dose of <time>\\.', say('ended_with_dose'), {
      needed: (event, title) => event === 'resolved' && !isAnothers(title),
    }),
  ],
  bottle_silent: [
    NOT_MONITORED_NOW,
    {
      ...line(
        '(?:Cannot be confirmed|Not confirmed while the bottle was offline): the dose of <time>\\.',
        ([at], says) => {
          const doses = (says.evidence['unconfirmed_doses'] ?? []) as string[];
          says.evidence['unconfirmed_doses'] = [...doses, at!];
        },
      ),
      repeats: true,
    },
  ],
  extra_dose: [
    line(
      '<pills> pills? more than planned (?:was|were) removed: <time>\\.',
      ([pills, at], { evidence }) =>
        void Object.assign(evidence, { extra_pills: pillsOf(pills!), removed_at: at }),
      { needed: isOpen },
    ),
    line('In all, that makes <pills> pills? more than planned\\.', say('pills_in_all', pillsOf)),
    line('Put back: <time>\\.', say('put_back_at'), { needed: (event) => event === 'resolved' }),
    line(
      '(?:The last dose was due (.+) before, the next one is due (.+) after it|The next dose is due (.+) after it)\\.',
      ([before, after, only], { evidence }) => {
        const spans = { ...(before && { last_dose_before: before }), next_dose_after: after ?? only };
        Object.assign(evidence, { rule: 'too_early', ...spans });
      },
    ),
    notMonitored('Not monitored: (.+)\\.', ({ evidence }, reason, event) =>
      Object.assign(evidence, { not_monitored: reason, ...(isOpen(event) && { rule: 'not_monitored' }) }),
    ),
    line(
      `(${Object.keys(WHY).join('|').replaceAll('.', '\\.')})`,
      say('rule', (text) => WHY[text]),
    ),
    line(
      '(Were they|If they were) moved to a pillbox, for the doses before <time>(?:, say|\\? Say) so by the link\\.',
      ([asks, until], { evidence }) =>
        void Object.assign(evidence, {
          pillbox_until: until,
          ...(asks === 'Were they' && { asks_pillbox: true }),
        }),
    ),
  ],
  count_mismatch: [
    line(
      'By its count there (?:is|are) <pills> pills? in it, by its weight about (\\d+)\\.',
      ([count], { evidence }) => void (evidence['number_of_pills'] = pillsOf(count!)),
      { needed: isOpen },
    ),
  ],
  battery_low: [
    line(
      'Battery: (\\d+) %\\.',
      ([percent], { evidence }, event) => {
        evidence[event === 'resolved' ? 'recovered_percent' : 'battery_percent'] = Number(percent);
      },
      { needed: (event, title) => event !== 'retracted' && !isAnothers(title) },
    ),
  ],
  coverage_gap: [
    line('Due: <time>\\.', ([at], says) => void (says.subject = at!), {
      needed: (event) => event === 'retracted',
    }),
    line('From: <time>\\.', say('from'), { needed: always }),
    line('To: <time>\\.', say('until'), { needed: always }),
  ],
};

/** Of which events `missed_dose` names the part that was taken. */
const NAMES_PART = ['raised', 'escalated', 'unknown', 'partial', 'corrected'];

/** Reads what a mail says of one alert. @param timeZone of the recipient */
export function readLines(
  kind: string,
  event: string,
  { title, lines }: Pick<MailPart, 'title' | 'lines'>,
  timeZone: string,
): MailSays {
  const says: MailSays = { evidence: {}, doses: [], problems: [] };
  if (event === 'summary' || event === 'unconfirmed') readDoses(event, lines, says, timeZone);
  else readOne(kind, event, { title, lines }, says, timeZone);
  return says;
}

function readOne(
  kind: string,
  event: string,
  { title, lines }: Pick<MailPart, 'title' | 'lines'>,
  says: MailSays,
  zone: string,
): void {
  if ((kind === 'missed_dose' && NAMES_PART.includes(event)) || kind === 'dose_reminder')
    says.evidence['pills_taken'] = 0;
  const after = AFTER_CLOSING[kind];
  const closed: Line[] = after === undefined ? [] : [line(after.replaceAll('.', '\\.'), () => undefined)];
  const closing = event === 'closed_by_staff' ? [...CLOSING, ...closed] : [];
  // nothing is wrong that was noticed
  const noticed = kind === 'dose_reminder' ? [] : [NOTICED];
  const expected = [...HEAD, ...closing, ...(OF_KIND[kind] ?? []), ...noticed, ...TAIL];
  let next = 0;
  for (const text of lines) {
    const index = expected.findIndex(({ pattern }, place) => place >= next && pattern.test(text));
    if (index < 0) {
      says.problems.push(`the line "${text}" is not what a mail of this kind says there`);
      continue;
    }
    for (const skipped of expected.slice(next, index)) lacks(skipped);
    const found = expected[index]!;
    found.read(groupsOf(text, found.pattern, says, zone), says, event);
    next = found.repeats ? index : index + 1;
  }
  for (const left of expected.slice(next)) lacks(left);
  if (kind === 'extra_dose' && isOpen(event) && says.evidence['rule'] === undefined)
    says.problems.push('it gives no reason why the pills are too many');

  function lacks({ needed, pattern }: Line): void {
    if (needed?.(event, title)) says.problems.push(`the line ${pattern} is missing`);
  }
}

const GAP = new RegExp(
  `^Between (${TIME}) and (${TIME}) we could not receive reports\\. These doses cannot be confirmed:$`,
);
const DOSE = new RegExp(`^(.+, \\S+): the dose of (${TIME})\\.$`);
const MISSED = new RegExp(`^(.+, \\S+): the dose of (${TIME}) was missed\\.$`);
const PART = new RegExp(
  `^(.+, \\S+): (${AMOUNT}) of (${AMOUNT}) pills? of the dose of (${TIME}) (?:was|were) taken\\.$`,
);

function readDoses(event: string, lines: readonly string[], says: MailSays, zone: string): void {
  let gap: Evidence = {};
  for (const text of lines) {
    const read = (pattern: RegExp): string[] | undefined =>
      pattern.test(text) ? groupsOf(text, pattern, says, zone) : undefined;
    const [between, dose, missed, part, link] = [GAP, DOSE, MISSED, PART, /^Taken or skipped\? (\S+)$/].map(
      read,
    );
    if (event === 'unconfirmed' && between) gap = { from: between[0], until: between[1] };
    else if (event === 'unconfirmed' && dose)
      says.doses.push({ name: dose[0]!, subject: dose[1]!, evidence: { ...gap } });
    else if (event === 'unconfirmed' && link && says.doses.length > 0) says.doses.at(-1)!.link = link[0]!;
    else if (event === 'summary' && missed)
      says.doses.push({
        name: missed[0]!,
        subject: missed[1]!,
        evidence: { outcome: 'missed', pills_taken: 0 },
      });
    else if (event === 'summary' && part) {
      const evidence = {
        outcome: 'partial',
        pills_taken: pillsOf(part[1]!),
        pills_scheduled: pillsOf(part[2]!),
      };
      says.doses.push({ name: part[0]!, subject: part[3]!, evidence });
    } else says.problems.push(`the line "${text}" is not what a mail of doses says`);
  }
}

function groupsOf(text: string, pattern: RegExp, says: MailSays, zone: string): string[] {
  const isTime = new RegExp(`^${TIME}$`);
  return pattern
    .exec(text)!
    .slice(1)
    .map((group) => {
      if (!isTime.test(group)) return group;
      const at = momentOf(group, zone);
      if (at === undefined) says.problems.push(`"${group}" is no time in ${zone}, where its recipient is`);
      return at === undefined ? group : new Date(at).toISOString();
    });
}
