import { SECOND } from '../generate/oracle/facts.js';
import { type About, personOf } from './about.js';
import { differencesIn, exactly, oneOf, partsOf, timeBetween } from './allowed.js';
import { endsForAnother, evidenceOf, subjectOf } from './claims.js';
import type { Evidence, MailPart } from './content.js';
import { doseOf, ranOutAt } from './dose-claims.js';
import { linkKindOf, linkOf } from './links.js';
import type { MailSays } from './mail-lines.js';
import { titlesOf } from './mail-titles.js';
import type { Envelope } from './webhook-problems.js';

/** How an alert may end that is raised before its dose is late. */
const SETTLED: string[] = ['reported_skipped', 'reported_taken', 'statement_withdrawn'];

/** What a mail says that the scenario does not. @param ids of all notifications of the mail */
export function mailProblems(
  { about, bottleId }: Envelope,
  { subject, title, lines, html }: MailPart,
  says: MailSays,
  ids: readonly string[],
): string[] {
  const { event } = about;
  // the title alone says so
  if (endsForAnother(about)) says.evidence['other_person'] = true;
  const titles = takenBy(about, says.evidence).flatMap((evidence) =>
    titlesOf(titledAs(about), event, evidence, lastAction(about)),
  );
  const isGathered = event === 'summary' || event === 'unconfirmed';
  return [
    ...says.problems,
    ...differencesIn(
      { title, subject, html: html.join('\n') },
      {
        title: oneOf(titles),
        subject: ids.length > 1 ? exactly(`${ids.length} messages about pill bottles`) : exactly(title),
        html: exactly([title, ...lines].join('\n')),
      },
    ),
    ...(isGathered ? dosesProblems(about, says) : oneProblems(about, says, bottleId, ids)),
  ];
}

/** With how many pills were taken: an SMS without room for all may not say so, and its title depends on it. */
function takenBy(about: About, evidence: Evidence): Evidence[] {
  const taken = evidenceOf(about, evidence)['pills_taken'];
  if (!taken || evidence['pills_taken'] !== undefined) return [evidence];
  return SOME_AMOUNTS.filter((pills) => taken.allows(pills)).map((pills) => ({
    ...evidence,
    pills_taken: pills,
  }));
}

/** In quarters of a pill. */
const SOME_AMOUNTS = Array.from({ length: 80 }, (_, quarters) => quarters / 4);

/** By which kind its titles are: an alert of a silent bottle may be raised without any report before it (LIVE-6). */
function titledAs({ kind, story, raisedAt }: About): string {
  const hasReported = story?.contacts.some((contact) => contact <= raisedAt);
  return kind === 'bottle_silent' && !hasReported ? 'never_reported' : kind;
}

function oneProblems(
  about: About,
  says: MailSays,
  bottleId: string | undefined,
  ids: readonly string[],
): string[] {
  const { kind, event, at, raisedAt } = about;
  const { name, raised, ended, closed, link, evidence } = says;
  const linkKind = linkKindOf(kind, event);
  // that no pills are left is not only sent of a late dose (ATTEST-17)
  const isOfLate = kind === 'missed_dose' && !SETTLED.includes(event);
  const raisedFrom = isOfLate
    ? [ranOutAt(about), doseOf(about)?.lateAt].filter((time) => time !== undefined)
    : [];
  const ofOpen = titlesOf(titledAs(about), 'raised', {});
  return [
    ...differencesIn(defined({ name, raised, ended, link: link?.kind, closed: closed?.title }), {
      name: exactly(nameOf(about, bottleId)),
      // of a reminder nothing was noticed
      ...(kind !== 'dose_reminder' && {
        raised: timeBetween(
          raisedFrom.length > 0 ? Math.min(...raisedFrom) : about.facts.scenario.start.getTime(),
          at,
        ),
      }),
      ...(ended !== undefined && { ended: timeBetween(raisedAt - (raisedAt % 1_000), at) }),
      ...(linkKind !== undefined && { link: exactly(linkKind) }),
      ...(closed && { closed: oneOf([...ofOpen, ...titlesOf(kind, 'raised', { pills_taken: 1 })]) }),
    }),
    ...(link && !linkOf(ids, about).allows(link.url) ? [`${link.url} is no link of this message`] : []),
    ...(says.subject === undefined
      ? []
      : differencesIn({ dose: says.subject }, { dose: subjectOf(about, {}) })),
    ...evidenceProblems(about, evidence),
  ];
}

function dosesProblems(about: About, { doses }: MailSays): string[] {
  const { facts, story, raisedAt, event } = about;
  const user = facts.userOf(story, raisedAt);
  const own = facts.scenario.bottles.filter(({ key }) => facts.userOf(facts.story(key), raisedAt) === user);
  const problems = doses.flatMap(({ name, subject, link, evidence }) => {
    const stories = own.map(({ key }) => facts.story(key)!);
    // a mail names the medication, by which a user knows the bottle
    const found = stories.map((each) => {
      const one = { ...about, story: each, subject };
      return [
        ...differencesIn(
          { name, dose: subject },
          { name: exactly(nameOf(one, undefined)), dose: subjectOf(one, {}) },
        ),
        ...evidenceProblems(one, evidence),
      ];
    });
    const best = found.toSorted((one, other) => one.length - other.length)[0] ?? ['it is about no bottle'];
    const needsLink =
      event === 'unconfirmed' && !(link !== undefined && linkOf(undefined, about).allows(link));
    return [...best, ...(needsLink ? [`the dose of ${subject} has no link of its own`] : [])];
  });
  const links = doses.flatMap(({ link }) => link ?? []);
  return [
    ...problems,
    ...(doses.length === 0 ? ['it names no dose'] : []),
    ...(new Set(links).size < links.length ? ['two doses have one link'] : []),
  ];
}

/** A mail tells only some of what a webhook does. */
function evidenceProblems(about: About, evidence: object): string[] {
  const allowed = partsOf(evidenceOf(about, evidence as Record<string, unknown>));
  return differencesIn(evidence, allowed).map((problem) => `evidence.${problem}`);
}

/** What the bottle did last when the alert ended, as far as was known. A mail tells the second of that. */
function lastAction({ story, endedAt = Infinity }: About): 'opened' | 'closed' | undefined {
  return story?.actions
    .filter(({ known }) => known - (known % SECOND) <= endedAt)
    .toSorted((one, other) => one.time - other.time)
    .at(-1)?.action;
}

/** By which a mail names whose alert it is. */
function nameOf(about: About, bottleId: string | undefined): string {
  const { facts, story, at } = about;
  const medication = story?.spec.medication ?? '';
  const user = personOf(about) ?? 'fleet';
  const person = facts.nameOf(user, at) ?? user;
  const shows = facts.setting('MAIL_NAMES_MEDICATION') === 'true' || bottleId === undefined;
  const bottle = shows ? medication : `Bottle ${bottleId.slice(-6)}`;
  const label = story?.spec.label;
  return `${label === undefined ? bottle : `${bottle} (${label})`}, ${person}`;
}

function defined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
