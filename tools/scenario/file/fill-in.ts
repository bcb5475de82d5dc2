import { happenedAt } from '../facts/device-time.js';
import type { ActionBody, BottleSpec, Scenario, ScenarioEvent } from './format.js';

/** The default when no action of the medication has a mass: the lab's bottle, 44.25 g for 25 pills. */
const GRAMS_A_PILL = 1.77;
/** The default: enough pills not to run low. */
const DEFAULT_PILLS = 100;
/** What happened later than this under the same name is another event (REPORT-2). Milliseconds. */
const SAME_EVENT_MS = 24 * 60 * 60 * 1_000;

/** A bottle and its actions, in order. */
interface BottleActions {
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
  const bottles = scenario.bottles.map((bottle): BottleActions => {
    const happened = reports.filter((event) => event.bottle === bottle.key).flatMap(happenings);
    return { bottle, happened: happened.sort((one, other) => one.at - other.at) };
  });
  const pillWeights = new Map(bottles.map((one) => [one, reportedPillWeight(one)]));
  for (const one of bottles) {
    const same = bottles.filter(({ bottle }) => bottle.medication === one.bottle.medication);
    const reported = [one, ...same].map((each) => pillWeights.get(each)).find((grams) => grams !== undefined);
    follow(one, reported ?? GRAMS_A_PILL);
  }
}

function happenings({ at, report }: Reports): Happening[] {
  const realTime = (body: ActionBody, sentAt: string | undefined): Happening => ({
    body,
    at: happenedAt(body.time, sentAt, at.getTime()) ?? at.getTime(),
  });
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
  const values = [action, new Date(time).getTime(), pills_taken, number_of_pills, mass_of_contents];
  return event_id ?? JSON.stringify(values);
}

/** What a pill weighs by the first closing that says a mass. Grams. */
function reportedPillWeight({ bottle, happened }: BottleActions): number | undefined {
  let pills = bottle.number_of_pills ?? DEFAULT_PILLS;
  for (const { body } of happened) {
    pills = pillsAfter(body, pills);
    const { action, mass_of_contents } = body;
    if (action === 'closed' && mass_of_contents !== undefined && mass_of_contents > 0 && pills > 0)
      return mass_of_contents / pills;
  }
  return undefined;
}

function follow({ bottle, happened }: BottleActions, gramsAPill: number): void {
  const known = new Map<string, Happening>();
  let pills = bottle.number_of_pills ?? DEFAULT_PILLS;
  let grams = pills * gramsAPill;
  for (const { body, at } of happened) {
    const identity = identityOf(body);
    const before = known.get(identity);
    // a bottle that was reset counts its events from the beginning
    if (before && at - before.at <= SAME_EVENT_MS) {
      body.number_of_pills ??= before.body.number_of_pills!;
      body.mass_of_contents ??= before.body.mass_of_contents!;
      continue;
    }
    const each = pills > 0 && grams > 0 ? grams / pills : gramsAPill;
    pills = pillsAfter(body, pills);
    grams = body.mass_of_contents ?? Math.round(pills * each * 100) / 100;
    body.number_of_pills = pills;
    body.mass_of_contents = grams;
    known.set(identity, { body: { ...body }, at });
  }
}

function pillsAfter({ number_of_pills, pills_taken = 0 }: ActionBody, before: number): number {
  return number_of_pills ?? Math.max(0, before - pills_taken);
}
