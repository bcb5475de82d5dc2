import type { Random } from '../../random.js';
import { AlertNotifications } from './alert-notifications.js';
import { receive } from './arrivals.js';
import type { GeneratedBottle } from './generated-bottle.js';
import type { ContactPlan } from './oracle/contact-plan.js';
import { type ExpectedAlert, HOUR, MINUTE, SECOND, type ServiceFacts, type Span } from './oracle/facts.js';
import { callForHelp, type HelpCall } from './oracle/help.js';
import type { ExpectedNotification } from './oracle/expected-notification.js';
import { remindersOf } from './oracle/reminders.js';
import type { StatementFact } from './oracle/statements.js';
import type { WallClocks } from './oracle/wall-clock.js';
import { watchBottle } from './oracle/watch-bottle.js';

/** By which a statement is made, or withdrawn. */
export const BUTTONS = ['taken', 'skipped-forgot', 'skipped-ran_out', 'help', 'help'] as const;

/** A contact that is notified only of what waits for no limit of messages: a mail that is answered has come. */
export const ANSWERED_KINDS = ['missed_dose', 'extra_dose'];

/** Nothing else about the bottle happens so near an answer. */
const ROOM = 3 * MINUTE;
const ATTEMPTS = 20;

/** Draws what people answer, and has it become true of the bottle. */
export function drawAnswers(
  random: Random,
  bottle: GeneratedBottle,
  contact: ContactPlan,
  outages: readonly Span[],
  facts: ServiceFacts,
  walls: WallClocks,
): GeneratedBottle {
  const { plan, traffic } = bottle;
  const isSteady = plan.prescriptions.length === 1 && plan.pauses.length === 0 && !plan.moves;
  const mailsOf = (truth: GeneratedBottle['truth'], calls: HelpCall[]): Mail[] => {
    const history = { first: contact, changes: [] };
    const alerts = [
      ...truth.alerts,
      ...remindersOf(plan.key, truth, history, facts),
      ...calls.map((call) => callForHelp(plan.key, call)),
    ];
    const all = new Map<ExpectedAlert, AlertNotifications>();
    for (const alert of alerts)
      all.set(alert, new AlertNotifications(alert, plan.user, history, facts, walls, all, []));
    return [...all.values()].flatMap(({ alert, messages }) =>
      messages.filter(({ email }) => email !== undefined).map((message) => ({ alert, message })),
    );
  };
  const mails = mailsOf(bottle.truth, []);
  const statements: StatementFact[] = [...(plan.statements ?? [])];
  const calls: HelpCall[] = [];
  const asked: (Span & { mail: ExpectedNotification })[] = [];
  for (let attempt = 0; attempt < ATTEMPTS && mails.length > 0 && asked.length < 2; attempt += 1) {
    const { alert, message: mail } = random.pick(mails);
    const at = floor(mail.at + random.between(4, 40) * MINUTE);
    const undoneAt = random.chance(0.4) ? floor(at + random.between(4, 55) * MINUTE) : undefined;
    // a plan that changes may lose the dose, and nobody can attest it then
    const button = isSteady ? random.pick(BUTTONS) : 'help';
    const { dose } = mail.facts;
    const span = { from: mail.at - ROOM, to: (undoneAt ?? at) + ROOM };
    const isOfDose = mail.kind === 'missed_dose' || mail.kind === 'dose_reminder';
    const isOpen = mail.event === 'raised' || mail.event === 'escalated';
    if (!isOfDose || !isOpen || dose === undefined || mail.at !== mail.by || span.to > facts.to - HOUR)
      continue;
    const isCalm =
      (alert.ends[0]?.at ?? Infinity) > span.to &&
      !traffic.sendings.some((sending) => isIn(span, sending.at)) &&
      !outages.some((outage) => outage.from - ROOM < span.to && span.from < outage.to + ROOM) &&
      !statements.some((one) => one.dose === dose) &&
      !calls.some((one) => one.dose === dose) &&
      !asked.some((other) => other.from < span.to && span.from < other.to);
    if (!isCalm || !isLastMail(mails, mail, { from: span.from, to: at + ROOM })) continue;
    const link = { to: mail.email!, by: mail.who };
    if (button === 'help') calls.push({ ...link, dose, at, ...(undoneAt !== undefined && { undoneAt }) });
    else
      statements.push(
        { dose, at, what: button === 'taken' ? 'taken' : 'skipped', link: { ...link, button } },
        ...(undoneAt === undefined
          ? []
          : [{ dose, at: undoneAt, what: 'withdrawn' as const, link: { ...link, button: 'undo' } }]),
      );
    asked.push({ ...span, mail });
  }
  if (asked.length === 0) return bottle;
  const answered = { ...plan, statements };
  const truth = watchBottle(receive(answered, traffic, facts), facts, walls);
  const then = mailsOf(truth, calls);
  const haveCome = asked.every(({ mail, from }) => {
    const same = then.find(({ message }) => message.email === mail.email && message.at === mail.at);
    const at = [...statements, ...calls].find((one) => one.at > from && one.dose === mail.facts.dose)!.at;
    return same && isLastMail(then, same.message, { from, to: at });
  });
  if (!haveCome || truth.unclear.length > 0) return bottle;
  return { ...bottle, plan: answered, truth, answers: { calls, spans: asked } };
}

interface Mail {
  alert: ExpectedAlert;
  message: ExpectedNotification;
}

/** Whether it is the only mail to its address within a time. */
function isLastMail(mails: readonly Mail[], mail: ExpectedNotification, within: Span): boolean {
  return !mails.some(
    ({ message }) => message !== mail && message.email === mail.email && isIn(within, message.at),
  );
}

function isIn({ from, to }: Span, at: number): boolean {
  return from <= at && at <= to;
}

/** Within a second of no tick. */
function floor(at: number): number {
  return Math.floor(at / SECOND) * SECOND + 291;
}
