import type { Random } from '../../random.js';
import { ZONES } from './calendar.js';
import { type ContactPlan, type EscalationStep, OPERATOR, type Recipient } from './oracle/contact-plan.js';
import { HOUR, MINUTE } from './oracle/facts.js';

/** Escalation policies: at once; a carer later; with repeats; delayed. */
const STEPS: EscalationStep[][] = [
  [{ after: 0, to: 'user' }],
  [
    { after: 0, to: 'user' },
    { after: 30 * MINUTE, to: 'carer' },
  ],
  [
    { after: 0, to: 'user', repeat: 2 * HOUR, kinds: ['missed_dose', 'bottle_open'] },
    { after: 0, to: 'carer', kinds: ['bottle_silent', 'extra_dose', 'low_supply'] },
  ],
  [
    { after: 10 * MINUTE, to: 'user' },
    { after: HOUR, to: 'carer' },
  ],
];

/** Draws a user's contact settings; undefined if only the operator is notified. */
export function drawContact(random: Random, user: string, zone: string): ContactPlan | undefined {
  if (random.chance(0.3)) return undefined;
  return {
    user: drawListener(random, 'user', zone, `${user}@example.test`),
    ...(random.chance(0.7) ? { carer: drawCarer(random, user) } : {}),
    steps: drawSteps(random),
  };
}

export function drawSteps(random: Random): EscalationStep[] {
  return random.pick(STEPS);
}

/** Draws a carer whom nobody is: of one name in many. */
export function drawCarer(random: Random, user: string): Recipient {
  const name = `Carer ${random.integer(1, 1_000_000)}`;
  const address = `${name.toLowerCase().replace(' ', '-')}-of-${user}@example.test`;
  return { ...drawListener(random, 'carer', random.pick(ZONES), address), name };
}

/** The same contact without quiet hours and reminders. */
export function withoutDelays({ user, carer, steps }: ContactPlan): ContactPlan {
  const awake = ({ quiet: _quiet, ...recipient }: Recipient): Recipient => recipient;
  return {
    user: awake(user),
    ...(carer && { carer: awake(carer) }),
    steps: steps.map(({ repeat: _repeat, ...step }) => step),
  };
}

/** The same contact, notified of these kinds only. */
export function onlyAbout(plan: ContactPlan, kinds: readonly string[]): ContactPlan {
  if (plan === OPERATOR) return plan;
  const steps = plan.steps
    .map((step) => ({ ...step, kinds: kinds.filter((kind) => step.kinds?.includes(kind) ?? true) }))
    .filter((step) => step.kinds.length > 0);
  return { ...plan, steps: steps.length > 0 ? steps : [{ after: 0, to: 'user', kinds: [...kinds] }] };
}

/** Draws a person: their channels, quiet hours, and address of mail. */
export function drawListener(
  random: Random,
  who: 'user' | 'carer',
  zone: string,
  address: string,
): Recipient {
  const channels = random.pick<Recipient['channels']>([['webhook'], ['email'], ['webhook', 'email']]);
  const quiet = random.pick([
    undefined,
    undefined,
    { from: '22:00', to: '07:00' },
    { from: '13:30', to: '15:15' },
  ]);
  return {
    who,
    channels,
    zone,
    ...(channels.includes('email') && { email: address }),
    ...(quiet ? { quiet } : {}),
  };
}

/** The contact after a change; without its fields it is deleted. */
export function changedContactJson(user_id: string, contact: ContactPlan): Record<string, unknown> {
  return contact === OPERATOR ? { user_id } : contactJson(user_id, contact);
}

/** As `PUT /v1/contacts/:user_id` takes it. */
export function contactJson(user_id: string, { user, carer, steps }: ContactPlan): Record<string, unknown> {
  return {
    user_id,
    ...recipientJson(user),
    ...(carer ? { carer: recipientJson(carer) } : {}),
    escalation: steps.map(({ after, repeat, ...step }) => ({
      ...step,
      after: `${after / MINUTE}m`,
      ...(repeat === undefined ? {} : { repeat: `${repeat / MINUTE}m` }),
    })),
  };
}

function recipientJson({ name, channels, zone, quiet, email }: Recipient): Record<string, unknown> {
  return {
    ...(name !== undefined && { name }),
    time_zone: zone,
    ...(channels.includes('webhook') ? { webhook: true } : {}),
    ...(email !== undefined && { email }),
    ...(email !== undefined && !channels.includes('email') && { email_verified: false }),
    ...(quiet ? { quiet_hours: quiet } : {}),
  };
}
