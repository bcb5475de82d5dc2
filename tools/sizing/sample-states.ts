import {
  onContact,
  onDosesJudged,
  onRegistration,
  onReports,
  parseSchedule,
  type Thresholds,
  MINUTE_MS,
} from '#domain';
import {
  type BottleAction,
  BottlesRepository,
  BottleStatesRepository,
  DeadlinesRepository,
  DoseOutcomesRepository,
  type ReportedStatesRepository,
  SearchRepository,
} from '#persistence';
import { hashToken, newToken } from '#platform';
import type { INestApplicationContext } from '@nestjs/common';
import type { SampleBottle } from './sample.js';

const HALF_A_DAY = 12 * 60 * MINUTE_MS;
const THRESHOLDS: Thresholds = {
  silentAfter: 60 * MINUTE_MS,
  openAfter: 5 * MINUTE_MS,
  backlogGrace: 2 * MINUTE_MS,
};
const GROUP = 500;
/**
 * Registered at once. Far fewer than the pool has connections: on a server under load, a command that waits for one fails
 * after a few seconds, as in the services.
 */
const AT_ONCE = 50;
const CLAIM_MS = 30_000;

function groupsOf<T>(items: T[], size = GROUP): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** As support-api registers them, with a schedule of two doses a day, and findable. */
export async function register(
  app: INestApplicationContext,
  bottles: SampleBottle[],
  now: Date,
): Promise<void> {
  const [registry, states] = [app.get(BottlesRepository), app.get(BottleStatesRepository)];
  const schedule = parseSchedule({ kind: 'times_of_day', times: ['08:00', '20:00'] });
  const version = { effective_from: now, time_zone: 'Europe/Berlin', schedule };
  for (const group of groupsOf(bottles, AT_ONCE)) {
    await Promise.all(
      group.map(async (bottle) => {
        await states.insert(onRegistration(bottle, now));
        await registry.insert({
          ...bottle,
          time_zone: 'Europe/Berlin',
          registered_at: now,
          initial_pills: 60,
          token_hash: hashToken(newToken('pwb')),
          revoked_token_hashes: [],
          schedule_versions: [version],
          pauses: [],
        });
      }),
    );
    await app.get(SearchRepository).addBottles(group);
  }
}

/** Every bottle reports `times` times, half an hour apart, group after group. */
export async function contact(
  states: ReportedStatesRepository,
  bottles: SampleBottle[],
  times: number,
  now: Date,
): Promise<void> {
  for (let time = times; time > 0; time -= 1) {
    const change = onContact(new Date(now.getTime() - time * 30 * MINUTE_MS), THRESHOLDS.silentAfter);
    for (const group of groupsOf(bottles)) {
      await states.change([{ bottles: group.map(({ _id }) => _id), change }]);
    }
  }
}

/** What an action changes of its bottle's state, as device-api does it. */
export async function updateStates(
  states: ReportedStatesRepository,
  actions: BottleAction[],
  now: Date,
): Promise<void> {
  for (const group of groupsOf(actions)) {
    const reports = group.map((action) => ({
      kind: 'action' as const,
      document: { ...action, received_at: now },
      receivedAt: now,
      clockOffset: 0,
    }));
    await states.change(onReports(reports, THRESHOLDS));
  }
}

/** One dose of each bottle is judged: claimed, its outcome written, released until the next slot. */
export async function judgeDoses(
  app: INestApplicationContext,
  bottles: SampleBottle[],
  now: Date,
): Promise<void> {
  const [deadlines, outcomes] = [app.get(DeadlinesRepository), app.get(DoseOutcomesRepository)];
  const next = new Date(now.getTime() + HALF_A_DAY);
  const judged = {
    judged_until: now,
    dose_due_at: next,
    late: false,
    awaiting_contact: false,
    neverReported: false,
  };
  for (let left = bottles.length; left > 0;) {
    const { claim, states } = await deadlines.claimOverdue('dose', now, CLAIM_MS, GROUP);
    if (states.length === 0) throw new Error('the sample has fewer due doses than bottles');
    await outcomes.upsert(states.map(({ _id }) => outcome(_id, new Date(now.getTime() + MINUTE_MS))));
    await deadlines.release(
      'dose',
      claim,
      states.map((state) => onDosesJudged(state, judged)),
    );
    left -= states.length;
  }
}

/** A history of judged doses, in the order in which they are judged. */
export async function upsertOutcomes(
  app: INestApplicationContext,
  bottles: SampleBottle[],
  dosesPerBottle: number,
  now: Date,
): Promise<void> {
  for (let dose = dosesPerBottle; dose > 0; dose -= 1) {
    const slot = new Date(now.getTime() - dose * HALF_A_DAY);
    for (const group of groupsOf(bottles)) {
      await app.get(DoseOutcomesRepository).upsert(group.map(({ _id }) => outcome(_id, slot)));
    }
  }
}

function outcome(
  bottle_id: SampleBottle['_id'],
  scheduled_at: Date,
): Parameters<DoseOutcomesRepository['upsert']>[0][number] {
  const taken_at = new Date(scheduled_at.getTime() + 7 * MINUTE_MS);
  return {
    bottle_id,
    scheduled_at,
    outcome: 'taken_on_time',
    taken_at,
    pills_scheduled: 1,
    pills_taken: 1,
    judged_at: taken_at,
  };
}
