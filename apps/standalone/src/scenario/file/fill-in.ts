import { clockOffset } from '#domain';
import type { ActionBody, BottleSpec, Scenario, ScenarioEvent } from './format.js';

/** The lab's own bottle: 44.25 g for 25 pills. */
const GRAMS_A_PILL = 1.77;
/** In a bottle of which the file does not say: plenty, so that it does not run low. */
const PILLS_UNSAID = 100;

type Reports = Extract<ScenarioEvent, { type: 'report' }>;

/** An action of the file and when it really happened. */
interface Happening {
  body: ActionBody;
  at: number;
}

/**
 * Fills in what actions leave out, `number_of_pills` and `mass_of_contents`, from what the bottle held: in the
 * order in which things happened, whatever the order in which they are sent, and the same for every repetition
 * of one event. The weight follows the pills.
 */
export function fillIn(scenario: Pick<Scenario, 'bottles' | 'events'>): void {
  const reports = scenario.events.filter((event): event is Reports => event.type === 'report');
  for (const bottle of scenario.bottles) {
    const happened = reports.filter((event) => event.bottle === bottle.key).flatMap(happenings);
    follow(
      bottle,
      happened.sort((one, other) => one.at - other.at),
    );
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

function follow({ number_of_pills }: BottleSpec, happened: Happening[]): void {
  const known = new Map<string, ActionBody>();
  let pills = number_of_pills ?? PILLS_UNSAID;
  let grams = pills * GRAMS_A_PILL;
  for (const { body } of happened) {
    const said = identityOf(body);
    const before = known.get(said);
    if (before) {
      body.number_of_pills ??= before.number_of_pills!;
      body.mass_of_contents ??= before.mass_of_contents!;
      continue;
    }
    const each = pills > 0 && grams > 0 ? grams / pills : GRAMS_A_PILL;
    pills = body.number_of_pills ?? Math.max(0, pills - (body.pills_taken ?? 0));
    grams = body.mass_of_contents ?? Math.round(pills * each * 100) / 100;
    body.number_of_pills = pills;
    body.mass_of_contents = grams;
    known.set(said, { ...body });
  }
}
