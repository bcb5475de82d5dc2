import { createHash } from 'node:crypto';
import type { Random } from '../../random.js';
import { ZONES } from './calendar.js';
import { type ContactPlan, type EscalationStep, OPERATOR, type Recipient } from './oracle/contact-plan.js';
import { HOUR, MINUTE } from './oracle/facts.js';

const FAMILY = 'group:family';

/** Escalation policies of whoever has no carer: at once, with repeats, or delayed. */
const ALONE: EscalationStep[][] = [
  [{ after: 0, to: 'user' }],
  [{ after: 0, to: 'user', repeat: 2 * HOUR, kinds: ['missed_dose', 'bottle_open'] }],
  [{ after: 10 * MINUTE, to: 'user' }],
];
/** Of the user and the first carer: the carer later, with repeats, of other kinds, instead of the user. */
const TWO: EscalationStep[][] = [
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
  [{ after: 0, to: 'carer' }],
];
/** Of two carers or more: one after another, a group at once or in turn, the user last. */
const SEVERAL: EscalationStep[][] = [
  [
    { after: 0, to: 'user' },
    { after: 20 * MINUTE, to: 'carer-2' },
    { after: HOUR, to: 'carer' },
  ],
  [
    { after: 0, to: 'user' },
    { after: 30 * MINUTE, to: FAMILY, inTurn: 15 * MINUTE },
  ],
  [
    { after: 0, to: FAMILY, kinds: ['missed_dose', 'bottle_silent', 'extra_dose'] },
    { after: 45 * MINUTE, to: 'user' },
  ],
  [
    { after: 0, to: 'carer-2', repeat: 3 * HOUR },
    { after: 20 * MINUTE, to: 'carer' },
  ],
  [{ after: 10 * MINUTE, to: FAMILY, inTurn: 40 * MINUTE, repeat: 4 * HOUR }],
];

/** When people are reminded of a dose. */
const REMINDERS = [[0], [-10 * MINUTE, 20 * MINUTE], [-2 * HOUR, 0, 30 * MINUTE], [5 * MINUTE, 45 * MINUTE]];

/** Draws a user's contact settings; undefined if only the operator is notified. */
export function drawContact(random: Random, user: string, zone: string): ContactPlan | undefined {
  if (random.chance(0.3)) return undefined;
  const count = random.pick([0, 1, 1, 2, 2, 3]);
  const carers = Array.from({ length: count }, (_, index) => drawCarer(random, user, carerId(index)));
  const plan = withSteps(random, {
    user: drawListener(random, 'user', zone, `${user}@example.test`),
    carers,
  });
  return random.chance(0.4) ? { ...plan, reminders: random.pick(REMINDERS) } : plan;
}

/** Draws steps that name nobody whom the contact does not have. */
export function withSteps(random: Random, people: Omit<ContactPlan, 'steps'>): ContactPlan {
  const isFamily = people.carers.some(({ groups }) => groups !== undefined);
  const of = [
    ...ALONE,
    ...TWO,
    ...(people.carers.length > 1
      ? [...SEVERAL, ...SEVERAL].filter((steps) => isFamily || steps.every(({ to }) => to !== FAMILY))
      : []),
  ];
  return { ...people, steps: random.pick(of) };
}

/** The id of the nth carer. */
export function carerId(index: number): string {
  return index === 0 ? 'carer' : `carer-${index + 1}`;
}

/** Draws a carer whom nobody is: of one name in many. */
export function drawCarer(random: Random, user: string, id: string): Recipient {
  const name = `Carer ${random.integer(1, 1_000_000)}`;
  const address = `${name.toLowerCase().replace(' ', '-')}-of-${user}@example.test`;
  const listener = drawListener(random, id, random.pick(ZONES), address);
  return { ...listener, name, ...(random.chance(0.7) && { groups: ['family'] }) };
}

/** The same contact without quiet hours and reminders. */
export function withoutDelays({ user, carers, steps, ...reminders }: ContactPlan): ContactPlan {
  const awake = ({ quiet: _quiet, ...recipient }: Recipient): Recipient => recipient;
  return {
    ...reminders,
    user: awake(user),
    carers: carers.map(awake),
    steps: steps.map(({ repeat: _repeat, ...step }) => step),
  };
}

/** The same contact, of whose doses nobody is reminded. */
export function withoutReminders({ reminders: _reminders, ...plan }: ContactPlan): ContactPlan {
  return plan;
}

/** The same contact, notified of these kinds only. */
export function onlyAbout(plan: ContactPlan, kinds: readonly string[]): ContactPlan {
  if (plan === OPERATOR) return plan;
  const steps = plan.steps
    .map((step) => ({ ...step, kinds: kinds.filter((kind) => step.kinds?.includes(kind) ?? true) }))
    .filter((step) => step.kinds.length > 0);
  return { ...plan, steps: steps.length > 0 ? steps : [{ after: 0, to: 'user', kinds: [...kinds] }] };
}

/** Draws a person: their channels, quiet hours, address of mail, and the number that goes with it. */
export function drawListener(random: Random, who: string, zone: string, address: string): Recipient {
  const channels = random.pick<Recipient['channels']>([
    ['webhook'],
    ['email'],
    ['webhook', 'email'],
    ['sms'],
    ['email', 'sms'],
  ]);
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
    ...(channels.includes('sms') && { sms: numberOf(address) }),
    ...(quiet ? { quiet } : {}),
  };
}

/** One number a person, whoever has which address. */
function numberOf(address: string): string {
  const digest = createHash('sha256').update(address).digest();
  return `+4915${String(digest.readUInt32BE(0) % 1_000_000_000).padStart(9, '0')}`;
}

/** The contact after a change; without its fields it is deleted. */
export function changedContactJson(user_id: string, contact: ContactPlan): Record<string, unknown> {
  return contact === OPERATOR ? { user_id } : contactJson(user_id, contact);
}

/** As `PUT /v1/contacts/:user_id` takes it. */
export function contactJson(
  user_id: string,
  { user, carers, steps, reminders = [] }: ContactPlan,
): Record<string, unknown> {
  return {
    user_id,
    ...recipientJson(user),
    carers: carers.map((carer) => ({ id: carer.who, ...recipientJson(carer) })),
    escalation: [
      ...reminders.map((after) => ({ remind: `${after / MINUTE}m`, to: 'user' })),
      ...steps.map(({ after, repeat, inTurn, ...step }) => ({
        ...step,
        after: `${after / MINUTE}m`,
        ...(inTurn === undefined ? {} : { in_turn: `${inTurn / MINUTE}m` }),
        ...(repeat === undefined ? {} : { repeat: `${repeat / MINUTE}m` }),
      })),
    ],
  };
}

function recipientJson({
  name,
  channels,
  zone,
  quiet,
  email,
  sms,
  groups,
}: Recipient): Record<string, unknown> {
  return {
    ...(name !== undefined && { name }),
    time_zone: zone,
    ...(channels.includes('webhook') ? { webhook: true } : {}),
    ...(email !== undefined && { email }),
    ...(sms !== undefined && { sms }),
    ...(email !== undefined && !channels.includes('email') && { email_verified: false }),
    ...(quiet ? { quiet_hours: quiet } : {}),
    ...(groups && { groups }),
  };
}
