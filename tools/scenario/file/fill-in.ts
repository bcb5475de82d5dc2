import { clockOffset } from '#domain';
import type { ActionBody, BottleSpec, Scenario, ScenarioEvent } from './format.js';

/** Where no action of the medication says what it weighed: the lab's own bottle, 44.25 g for 25 pills. */
const GRAMS_A_PILL = 1.77;
/** In a bottle of which the file does not say: plenty, so that it does not run low. */
const PILLS_UNSAID = 100;

/** A bottle and all that happens to it, in order. */
interface Story {
  bottle: BottleSpec;
  happened: Happening[];
}

type Reports = Extract<ScenarioEvent, { type: 'report' }>;

/** An action of the file and when it really happened. */
interface Happening {
  body: ActionBody;
  at: number;
}

/**
 * Fills in what actions leave out, `number_of_pills` and `mass_of_contents`, from what the bottle held: in the
 * order in which things happened, whatever the order in which they are sent, and the same for every repetition
 * of one event. The weight follows the pills, which weigh what the file says first of the bottle,
 * or else of another with the same medication.
 */
export function fillIn(scenario: Pick<Scenario, 'bottles' | 'events'>): void {
  const reports = scenario.events.filter((event): event is Reports => event.type === 'report');
  const stories = scenario.bottles.map((bottle): Story => {
    const happened = reports.filter((event) => event.bottle === bottle.key).flatMap(happenings);
    return { bottle, happened: happened.sort((one, other) => one.at - other.at) };
  });
  const saidOf = new Map(stories.map((story) => [story, saidOfAPill(story)]));
  for (const story of stories) {
    const same = stories.filter(({ bottle }) => bottle.medication === story.bottle.medication);
    const said = [story, ...same].map((each) => saidOf.get(each)).find((grams) => grams !== undefined);
    follow(story, said ?? GRAMS_A_PILL);
  }
}

function happenings({ at, report }: Reports): Happening[] {
  const realTime = (body: ActionBody, sentAt: string | undefined): Happening => {
    const offset = clockOffset(sentAt === undefined ? undefined : new Date(sentAt), at);
    return { body, at: Math.min(new Date(body.time).getTime() - offset, at.getTime()) };
  };
  if (report.path === '/v1/actions') return [realTime(report.body, report.body.sent_at)];
  const { items, sent_at } = report.body;
  return items.flatMap((item) => (item.type === 'action' ? [realTime(item as ActionBody, sent_at)] : []));
}

/** The same for every repetition of one event, alone or in a batch: what it is named by where it has no name. */
function identityOf({
  event_id,
  action,
  time,
  pills_taken,
  number_of_pills,
  mass_of_contents,
}: ActionBody): string {
  const said = [action, new Date(time).getTime(), pills_taken, number_of_pills, mass_of_contents];
  return event_id ?? JSON.stringify(said);
}

/** What a pill weighs by the first closing that says a mass. Grams. */
function saidOfAPill({ bottle, happened }: Story): number | undefined {
  let pills = bottle.number_of_pills ?? PILLS_UNSAID;
  for (const { body } of happened) {
    pills = pillsAfter(body, pills);
    const { action, mass_of_contents } = body;
    if (action === 'closed' && mass_of_contents !== undefined && mass_of_contents > 0 && pills > 0)
      return mass_of_contents / pills;
  }
  return undefined;
}

function follow({ bottle, happened }: Story, gramsAPill: number): void {
  const known = new Map<string, ActionBody>();
  let pills = bottle.number_of_pills ?? PILLS_UNSAID;
  let grams = pills * gramsAPill;
  for (const { body } of happened) {
    const said = identityOf(body);
    const before = known.get(said);
    if (before) {
      body.number_of_pills ??= before.number_of_pills!;
      body.mass_of_contents ??= before.mass_of_contents!;
      continue;
    }
    const each = pills > 0 && grams > 0 ? grams / pills : gramsAPill;
    pills = pillsAfter(body, pills);
    grams = body.mass_of_contents ?? Math.round(pills * each * 100) / 100;
    body.number_of_pills = pills;
    body.mass_of_contents = grams;
    known.set(said, { ...body });
  }
}

function pillsAfter({ number_of_pills, pills_taken = 0 }: ActionBody, before: number): number {
  return number_of_pills ?? Math.max(0, before - pills_taken);
}
