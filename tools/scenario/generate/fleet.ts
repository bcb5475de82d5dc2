import { Random } from '../../simulator/random.js';
import { receive } from './arrivals.js';
import { type BottlePlan, planBottle } from './bottle-plan.js';
import { chooseDates } from './calendar.js';
import { drawContact } from './contacts.js';
import { type Disturbances, disturb } from './disturbances.js';
import { factsOf, type HousePlan, planHouse } from './house-plan.js';
import { live } from './life.js';
import { send, type Traffic } from './link.js';
import { type ContactPlan, OPERATOR } from './oracle/contact-plan.js';
import { dueDoses } from './oracle/due-doses.js';
import { type BottleTruth, DAY, type HouseFacts, type Stretch } from './oracle/facts.js';
import { WallClocks } from './oracle/wall-clock.js';
import { watchBottle } from './oracle/watch-bottle.js';
import { drawStaffWork, type StaffWork } from './staff.js';
import { Telling } from './telling.js';

/** What to generate. */
export interface FleetSize {
  /** The same seed and size make the same fleet. */
  seed: number;
  bottles: number;
  days: number;
}

/** One bottle's life, and what has to come of it. */
export interface BottleLife {
  plan: BottlePlan;
  traffic: Traffic;
  truth: BottleTruth;
}

/** A fleet's whole story. */
export interface Fleet {
  size: FleetSize;
  during: Stretch;
  house: HousePlan;
  lives: BottleLife[];
  contacts: Map<string, ContactPlan>;
  staff: StaffWork[];
  tellings: Telling[];
  disturbances: Disturbances;
}

/** A life that would be told differently if we were a little slower is drawn again, so often at most. */
const ATTEMPTS = 20;

/** Makes up a fleet, and works out what has to come of it. Each bottle's life depends on the seed and its own number. */
export function generateFleet(size: FleetSize): Fleet {
  const { seed, bottles, days } = size;
  const during = chooseDates(new Random(seed, 'dates'), days);
  const house = planHouse(new Random(seed, 'house'), during);
  const facts = factsOf(house, during);
  const walls = new WallClocks(during.from - DAY, during.to + DAY);
  const contacts = new Map<string, ContactPlan>();
  const lives: BottleLife[] = [];
  for (let index = 0; index < bottles; index += 1) {
    const life = drawLife(seed, index, lives.at(-1)?.plan, facts, walls);
    lives.push(life);
    const { user, zone, runsLow } = life.plan;
    const contact = drawContact(new Random(seed, 'contact', user), zone);
    // how soon low supply is told has some play, which a contact's wishes would spread over more messages
    if (contact && !runsLow) contacts.set(user, contact);
  }
  const tellings = lives.flatMap(({ plan, truth }) =>
    truth.stories.map((story) => new Telling(story, contacts.get(plan.user) ?? OPERATOR, facts, walls)),
  );
  const staff = drawStaffWork(new Random(seed, 'staff'), tellings, during.to);
  const disturbances = disturb(new Random(seed, 'disturbances'), during, house, tellings);
  return { size, during, house, lives, contacts, staff, tellings, disturbances };
}

function drawLife(
  seed: number,
  index: number,
  neighbour: BottlePlan | undefined,
  facts: HouseFacts,
  walls: WallClocks,
): BottleLife {
  const key = `b${String(index + 1).padStart(3, '0')}`;
  for (let attempt = 0; ; attempt += 1) {
    const random = new Random(seed, 'bottle', index, attempt);
    const plan = planBottle(random, key, `u-${key}`, facts);
    // some people have two bottles
    if (random.chance(0.15) && neighbour && !neighbour.runsLow && !plan.runsLow) plan.user = neighbour.user;
    const doses = dueDoses(plan.prescriptions, plan.pauses, facts, walls);
    const traffic = send(random, plan, live(random, plan, doses, facts), facts);
    const truth = watchBottle(receive(plan, traffic, facts), facts, walls);
    if (truth.unclear.length === 0 || attempt === ATTEMPTS) return { plan, traffic, truth };
  }
}
