import { Random } from '../../simulator/random.js';
import { receive } from './arrivals.js';
import { type BottlePlan, planBottle } from './bottle-plan.js';
import { chooseDates } from './calendar.js';
import { changeContacts } from './contact-changes.js';
import { drawContact } from './contacts.js';
import { type Disturbances, disturb } from './disturbances.js';
import { factsOf, type ServicePlan, planService } from './service-plan.js';
import { handleBottle } from './lid-events.js';
import { send, type Traffic } from './link.js';
import { type ContactHistory, OPERATOR } from './oracle/contact-plan.js';
import { dueDoses } from './oracle/due-doses.js';
import { type BottleTruth, DAY, type ExpectedAlert, type ServiceFacts, type Span } from './oracle/facts.js';
import { WallClocks } from './oracle/wall-clock.js';
import { watchBottle } from './oracle/watch-bottle.js';
import { drawStaffWork, type StaffWork } from './staff.js';
import { AlertNotifications } from './alert-notifications.js';
import { drawErasures } from './erasures.js';

/** What to generate. */
export interface FleetSize {
  /** The same seed and size make the same fleet. */
  seed: number;
  bottles: number;
  days: number;
}

/** One bottle's bottle, and what has to come of it. */
export interface GeneratedBottle {
  plan: BottlePlan;
  traffic: Traffic;
  truth: BottleTruth;
  /** When staff erase it; Infinity if never. */
  erasedAt: number;
}

/** A generated fleet and everything that happens to it. */
export interface Fleet {
  size: FleetSize;
  during: Span;
  service: ServicePlan;
  bottles: GeneratedBottle[];
  /** Of users with a contact at some time. */
  contacts: Map<string, ContactHistory>;
  staff: StaffWork[];
  allNotifications: AlertNotifications[];
  disturbances: Disturbances;
}

/** How often a bottle is drawn again because a small delay would change its expectations. */
const ATTEMPTS = 20;

/** Generates a fleet and its expectations. Each bottle depends on the seed and its own number only. */
export function generateFleet(size: FleetSize): Fleet {
  const { seed, days } = size;
  const during = chooseDates(new Random(seed, 'dates'), days);
  const service = planService(new Random(seed, 'house'), during);
  const facts = factsOf(service, during);
  const walls = new WallClocks(during.from - DAY, during.to + DAY);
  const contacts = new Map<string, ContactHistory>();
  const bottles: GeneratedBottle[] = [];
  for (let index = 0; index < size.bottles; index += 1) {
    const bottle = drawBottle(seed, index, bottles.at(-1)?.plan, facts, walls);
    bottles.push(bottle);
    const { user, zone, runsLow } = bottle.plan;
    const contact = drawContact(new Random(seed, 'contact', user), zone);
    // low_supply may be raised within a span, which a contact's policy would spread over more messages
    if (contact && !runsLow) contacts.set(user, { first: contact });
  }
  const byAlert = new Map<ExpectedAlert, AlertNotifications>();
  for (const { plan, truth } of bottles)
    for (const alert of truth.alerts) {
      const contact = contacts.get(plan.user) ?? { first: OPERATOR };
      byAlert.set(alert, new AlertNotifications(alert, contact, facts, walls, byAlert));
    }
  const allNotifications = [...byAlert.values()];
  changeContacts(new Random(seed, 'contact changes'), contacts, bottles, walls);
  const staff = drawStaffWork(new Random(seed, 'staff'), allNotifications, during.to);
  drawErasures(new Random(seed, 'erasures'), bottles, allNotifications, during.to);
  const disturbances = disturb(new Random(seed, 'disturbances'), during, service, allNotifications);
  return { size, during, service, bottles, contacts, staff, allNotifications, disturbances };
}

function drawBottle(
  seed: number,
  index: number,
  neighbour: BottlePlan | undefined,
  facts: ServiceFacts,
  walls: WallClocks,
): GeneratedBottle {
  const key = `b${String(index + 1).padStart(3, '0')}`;
  for (let attempt = 0; ; attempt += 1) {
    const random = new Random(seed, 'bottle', index, attempt);
    const plan = planBottle(random, key, `u-${key}`, facts);
    // some people have two bottles
    if (random.chance(0.15) && neighbour && !neighbour.runsLow && !plan.runsLow) plan.user = neighbour.user;
    const doses = dueDoses(plan.prescriptions, plan.pauses, facts, walls);
    const traffic = send(random, plan, handleBottle(random, plan, doses, facts), facts);
    const truth = watchBottle(receive(plan, traffic, facts), facts, walls);
    if (truth.unclear.length === 0 || attempt === ATTEMPTS)
      return { plan, traffic, truth, erasedAt: Infinity };
  }
}
