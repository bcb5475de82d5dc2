import type { ScenarioFacts } from '../facts/scenario-facts.js';
import { describeMessage, type ReceivedMessage } from '../truth/describe.js';
import type { About } from './about.js';
import type { MailPart } from './content.js';
import { differencesIn, exactly, oneOf } from './allowed.js';
import { inEnglish } from './german-mails.js';
import { mailProblems } from './mail-problems.js';
import { type MailSays, readLines } from './mail-lines.js';
import { titlesOf } from './mail-titles.js';
import { isCut, MORE } from './shown.js';
import { type Envelope, webhookProblems } from './webhook-problems.js';

/**
 * What messages say that the scenario does not: whom, which bottle, medication and dose, the numbers, the reason and
 * the link, each compared with what follows from the scenario's file.
 *
 * @param idOf the id of a bottle of the scenario; undefined for what is none
 */
export function contentProblems(
  messages: readonly ReceivedMessage[],
  facts: ScenarioFacts,
  idOf: (bottle: string) => string | undefined,
): string[] {
  const keys = new Map(facts.scenario.bottles.map(({ key }) => [idOf(key), key]));
  const keyOf = (bottleId: string): string | undefined => keys.get(bottleId);
  const storyOf = (bottleId: string): About['story'] => facts.story(keyOf(bottleId) ?? '');
  const raised = whenRaised(messages, facts);
  return messages.flatMap((message) => {
    const { content, id, bottle } = message;
    const envelope = { id, bottleId: idOf(bottle) };
    // those of the service name no bottle
    const isOurs = message.kind === 'fleet_incident' || bottle === FLEET_BOTTLE;
    if (!isOurs && facts.story(bottle) === undefined)
      return [`wrong content: ${describeMessage(message)}: it is about no bottle of the scenario`];
    const problems = content.body
      ? webhookProblems(
          { ...envelope, about: { ...aboutWebhook(message, facts), keyOf } },
          content.body,
          storyOf,
        )
      : content.push
        ? pushProblems(message, content.push, messages)
        : problemsOfMail(message, facts, envelope, raised.get(content.alert));
    return problems.map((problem) => `wrong content: ${describeMessage(message)}: ${problem}`);
  });
}

/** When each alert was raised: as its messages say, or when the first of them was received if none does. */
function whenRaised(messages: readonly ReceivedMessage[], facts: ScenarioFacts): Map<string, string> {
  const received = messages.map((message): [string, string] => [
    message.content.alert,
    message.at.toISOString(),
  ]);
  const stated = messages.flatMap((message): [string, string][] => {
    const { alert, body } = message.content;
    const time = body?.data.raised_at ?? readMailOf(message, facts)?.raised;
    return time === undefined ? [] : [[alert, time]];
  });
  return new Map([...received.toReversed(), ...stated]);
}

/** As alerts of the service name a bottle. */
const FLEET_BOTTLE = '0'.repeat(24);

/** A message is compared with each that may be expected. */
const read = new WeakMap<ReceivedMessage, MailSays | undefined>();

/** What the lines of a mail or SMS say, times read in its recipient's zone. */
export function readMailOf(message: ReceivedMessage, facts: ScenarioFacts): MailSays | undefined {
  if (!read.has(message)) read.set(message, readMail(message, facts));
  return read.get(message);
}

function readMail(message: ReceivedMessage, facts: ScenarioFacts): MailSays | undefined {
  const mail = englishMailOf(message, facts);
  const zone = recipientOf(message, facts)?.time_zone ?? 'UTC';
  if (!mail) return undefined;
  const says = readLines(message.kind, message.event, mail, zone);
  if (!isCut(message)) return says;
  // what is left out may state it
  const { pills_taken: taken, ...evidence } = says.evidence;
  return { ...says, evidence: taken === 0 ? evidence : says.evidence };
}

/** A mail as it would be in English, if it is in its recipient's language. */
function englishMailOf(message: ReceivedMessage, facts: ScenarioFacts): MailPart | undefined {
  const { language, time_zone = 'UTC' } = recipientOf(message, facts) ?? {};
  const mail = message.content.mail ?? asMail(message, language);
  return mail && language === 'de' ? inEnglish(mail, time_zone) : mail;
}

/** An SMS says what the plain part of a mail does, as far as there is room. */
function asMail({ id, content: { sms } }: ReceivedMessage, language = 'en'): MailPart | undefined {
  if (!sms) return undefined;
  const { title } = sms;
  const lines = sms.lines.filter((line) => line !== MORE);
  return { ids: [id], subject: title, title, lines, language, html: [title, ...lines] };
}

/** What a browser of staff shows: a title that the operator's message may have, and the alert in the console. */
function pushProblems(
  { content: { alert }, kind, event }: ReceivedMessage,
  { title, url }: { title: string; url: string | undefined },
  all: readonly ReceivedMessage[],
): string[] {
  const same = all.flatMap(({ content, event: of }) =>
    content.alert === alert && of === event ? (content.body?.data ?? []) : [],
  );
  const titles = same.flatMap(({ evidence }) =>
    [kind, 'never_reported'].flatMap((as) =>
      [undefined, 'opened' as const].flatMap((last) => titlesOf(as, event, evidence, last)),
    ),
  );
  return differencesIn(
    { title, url },
    { title: oneOf(titles), url: exactly(`https://support.example.test/alerts/${alert}`) },
  );
}

/** @param raised when its alert was, if it does not say */
function problemsOfMail(
  message: ReceivedMessage,
  facts: ScenarioFacts,
  envelope: Omit<Envelope, 'about'>,
  raised: string | undefined,
): string[] {
  const { to, at } = message;
  const mail = englishMailOf(message, facts);
  const says = readMailOf(message, facts);
  if (!mail || !says) return ['it has neither a body nor a text'];
  const about = aboutOf(message, facts.inSeconds, {
    subject: says.subject ?? '',
    raised: says.raised ?? raised,
    ended: says.ended,
  });
  const recipient = recipientOf(message, facts);
  const problems = [
    ...(recipient ? [] : [`${to} is no address of its contact at ${at.toISOString()}`]),
    ...(mail.language === (recipient?.language ?? 'en') ? [] : [`its HTML is in "${mail.language}"`]),
    ...mailProblems({ ...envelope, about }, mail, says, mail.ids),
  ];
  return isCut(message) ? problems.filter((problem) => !LEFT_OUT.test(problem)) : problems;
}

/** What an SMS lacks that has no room for it. */
const LEFT_OUT = / is absent, expected | is missing$|^it gives no reason/;

/** Whose address it is, of the user and the carers of that moment. */
function recipientOf(
  { bottle, channel, to, at }: ReceivedMessage,
  facts: ScenarioFacts,
): { time_zone?: string; language?: string } | undefined {
  // an alert stays with whose the bottle was when it was raised
  return facts
    .usersOf(facts.story(bottle), at.getTime())
    .flatMap((user) => facts.contact(user, at.getTime()))
    .find(({ email, sms }) => (channel === 'sms' ? sms : email) === to);
}

function aboutWebhook(message: ReceivedMessage, facts: ScenarioFacts): About {
  const { data, timestamp } = message.content.body!;
  const { subject, raised_at: raised, ended_at: ended } = data;
  return aboutOf(message, facts, { subject, raised, ended, queued: timestamp });
}

function aboutOf(
  { bottle, kind, event, at }: ReceivedMessage,
  facts: ScenarioFacts,
  shown: {
    subject: string;
    raised: string | undefined;
    ended?: string | undefined;
    queued?: string | undefined;
  },
): About {
  // a time that is none is found when it is compared: the others are then compared with the receipt
  const timeOf = (text: string | undefined): number | undefined => {
    const time = Date.parse(text ?? '');
    return Number.isNaN(time) ? undefined : time;
  };
  return {
    facts,
    story: facts.story(bottle),
    kind,
    event,
    subject: shown.subject,
    at: at.getTime(),
    queuedAt: timeOf(shown.queued) ?? at.getTime(),
    raisedAt: timeOf(shown.raised) ?? at.getTime(),
    endedAt: timeOf(shown.ended),
  };
}
