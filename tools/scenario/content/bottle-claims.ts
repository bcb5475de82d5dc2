import { DAY } from '../generate/oracle/facts.js';
import { knownAt } from '../facts/prescribed.js';
import type { BottleStory } from '../facts/scenario-facts.js';
import type { About } from './about.js';
import { unreportedPills } from './count-claims.js';
import type { Evidence } from './content.js';
import { type AllowedFields, between, each, exactly, fields, oneOf, optional, timeOf } from './allowed.js';

/** What `bottle_open` may say: which opening, and by what it ended. */
export function bottleOpen({ facts, story, event, at }: About, shown: Evidence): AllowedFields {
  const known = story!.actions.filter((action) => action.known <= at);
  const openings = known.filter(({ action }) => action === 'opened');
  const isOver = event === 'resolved' || event === 'retracted';
  const isLost = event === 'resolved' && shown['unreported_pills'] !== undefined;
  const isHeld = event === 'resolved' && shown['not_monitored'] !== undefined;
  const after = event === 'retracted' ? 'closed' : undefined;
  const enders = known.filter(({ action }) => after === undefined || action === after);
  return {
    rule: exactly('open_after'),
    open_after_ms: exactly(facts.span('OPEN_BOTTLE_AFTER')),
    // while its end is held down, the bottle may be opened again
    opened_at: timeOf(...openings.map(({ time }) => time)),
    last_heard_at: timeOf(...story!.contacts.filter((contact) => contact <= at)),
    ...(isLost && unreportedPills([story!], at)),
    ...(isHeld && notMonitored(story!, at)),
    ...(isOver &&
      !isLost &&
      !isHeld && {
        ended_by: {
          allows: (shown: unknown) =>
            enders.some(({ action, time, pillsLeft, pillsTaken }) =>
              Object.entries(shown as object).every(
                ([name, value]) =>
                  (
                    {
                      action,
                      time: new Date(time).toISOString(),
                      number_of_pills: pillsLeft,
                      pills_taken: pillsTaken,
                    } as Record<string, unknown>
                  )[name] === value || !COMPARED.includes(name),
              ),
            ),
          text: 'an action of the bottle',
        },
      }),
  };
}

/** Of the action that ended an open lid. */
const COMPARED = ['action', 'time', 'number_of_pills', 'pills_taken'];

/** What `bottle_silent` may say: since when, how much coverage there was, and which doses it hides. */
export function bottleSilent(about: About, shown: Evidence): AllowedFields {
  const { facts, story, event, at, raisedAt } = about;
  const contacts = story!.contacts.filter((contact) => contact <= at);
  // a period may be entered later
  const plans = facts.plansOf(story!.spec.key);
  const doses = plans.flatMap((plan) => facts.allDoses(plan, at)).filter(({ opens }) => opens <= at);
  const last = contacts.findLast((contact) => contact <= raisedAt) ?? 0;
  const silence = facts.span('SILENT_BOTTLE_AFTER');
  // a silence that returned while its alert was held open is that of the plan of then
  const leaders = plans
    .map(({ spec: { key } }) => key)
    .filter((key) => key !== story!.spec.key && facts.isOfPlanWithin(story!.spec.key, key, raisedAt, at));
  const planOf = {
    allows: (id: unknown) => leaders.includes(about.keyOf?.(String(id)) ?? ''),
    text: `the id of ${leaders.join(' or ')}`,
  };
  const own = new Set(facts.allDoses(story!, at).map((dose) => dose.at));
  const named = (shown['unconfirmed_doses'] ?? []) as string[];
  const namesOthers = named.some((dose) => !own.has(Date.parse(dose)));
  const hidden = {
    unconfirmed_doses: each(timeOf(...doses.map((dose) => dose.at))),
    ...(leaders.length > 0 && { plan_of: namesOthers ? planOf : optional(planOf) }),
  };
  if (last === 0)
    return {
      rule: exactly('never_reported'),
      registered_at: timeOf(facts.scenario.start.getTime()),
      ...hidden,
      ...(event === 'resolved' && endOfSilence(about, shown, { first_heard_at: timeOf(...contacts) })),
    };
  return {
    rule: exactly('silent_after'),
    silent_after_ms: exactly(silence),
    last_heard_at: timeOf(...contacts.filter((contact) => contact >= last)),
    listened_ms: between(silence, Math.max(silence, at - last)),
    ...hidden,
    ...(event === 'resolved' &&
      endOfSilence(about, shown, {
        heard_again_at: timeOf(...contacts.filter((contact) => contact > last)),
      })),
  };
}

/** A silence ends with a report, or because the bottle is not monitored. */
function endOfSilence(about: About, shown: Evidence, ended: AllowedFields): AllowedFields {
  return shown['not_monitored'] === undefined ? ended : notMonitored(about.story!, about.at);
}

/** Whether the bottle has another user than when the alert was raised. */
export function isAnothersNow({ facts, story, at, raisedAt }: About): boolean {
  return facts.userOf(story, at) !== facts.userOf(story, raisedAt);
}

/** Why the bottle is not monitored now. */
function notMonitored({ pauses }: BottleStory, at: number): AllowedFields {
  const now = pauses.filter(({ orderedAt, from, to }) => orderedAt <= at && from <= at && at < to);
  return { not_monitored: oneOf(now.map(({ reason }) => reason ?? 'pause')) };
}

/** What `low_supply` may say: how many pills are left, how many are needed, and how many there are again. */
export function lowSupply({ facts, story, event, at, raisedAt }: About): AllowedFields {
  const days = Number(facts.setting('LOW_SUPPLY_DAYS'));
  const bottles = story!.bottlesOfPlan.map((key) => facts.story(key)!);
  const counts = (from: number, to: number): number[] => {
    const newest = [
      from,
      ...bottles
        .flatMap(({ actions }) => actions.map(({ known }) => known))
        .filter((one) => from < one && one <= to),
    ];
    return newest.map((moment) =>
      bottles
        .filter(({ spec }) => facts.isOfPlan(spec.key, story!.spec.key, moment))
        .reduce((sum, { actions, spec }) => {
          const last = actions
            .filter(({ known }) => known <= moment)
            .toSorted((one, other) => one.time - other.time)
            .at(-1);
          return sum + (last ? last.pillsLeft : (spec.number_of_pills ?? 0));
        }, 0),
    );
  };
  return {
    rule: exactly('low_supply_days'),
    days: exactly(days),
    pills: oneOf(counts(raisedAt - CHECKED_MS, raisedAt)),
    needed: oneOf(pillsNeeded(facts, story!, days, raisedAt)),
    ...(event === 'resolved' && { pills_after_refill: oneOf(counts(raisedAt, at)) }),
  };
}

const CHECKED_MS = 60_000;

/** What the doses of the next days still need (SUPPLY-1), at the check or just before it. */
function pillsNeeded(
  facts: About['facts'],
  story: NonNullable<About['story']>,
  days: number,
  raisedAt: number,
): number[] {
  return [raisedAt - CHECKED_MS, raisedAt].map((now) => {
    const plan = knownAt(story.prescriptions, now).findLast(({ from }) => from <= now)?.plan;
    if (plan?.kind === 'as_needed') return days * plan.maxPerDay * plan.pills;
    const taken = new Map(
      facts.intakes(story, now).intakes.map(({ dose, pills }) => [dose.at, pills] as const),
    );
    return facts
      .doses(story, now)
      .filter(({ at, missedAt }) => missedAt > now && at <= now + days * DAY)
      .reduce((sum, { at, pills }) => sum + pills - (taken.get(at) ?? 0), 0);
  });
}

/** What `count_mismatch` may say of a closing's weight and count. A mail does not say which closing that is. */
export function countMismatch(about: About, shown: Record<string, unknown>): AllowedFields {
  const { story, event, at } = about;
  const closings = story!.actions.filter(({ action, known }) => action === 'closed' && known <= at);
  const isOver = event === 'resolved';
  const numbers = (of: Record<string, unknown>): AllowedFields => {
    // a mail tells the second
    const second = (moment: number): number => Math.floor(moment / 1_000);
    const weighedAt = second(Date.parse(String(of['weighed_at'])));
    // a mail has the count only
    const isShown = ({ time, pillsLeft }: (typeof closings)[number]): boolean =>
      of['weighed_at'] === undefined ? pillsLeft === of['number_of_pills'] : second(time) === weighedAt;
    const closing = closings.find(isShown);
    const [count, grams] = [closing?.pillsLeft ?? 0, closing?.grams ?? 0];
    const counts = of['weighed_at'] === undefined ? countsThen(about) : [count];
    const pill = Number(of['pill_mass']);
    const near = (value: number): ReturnType<typeof between> =>
      between(value - Math.abs(value) * ROUNDED - ROUNDED, value + Math.abs(value) * ROUNDED + ROUNDED);
    return {
      weighed_at: timeOf(...closings.map(({ time }) => time)),
      number_of_pills: oneOf(counts),
      measured_mass: exactly(grams),
      expected_mass: near(count * pill),
      difference_pills: near((grams - count * pill) / pill),
      pill_mass: between(0.01, 10),
      learned_from_bottles: between(1, 50),
    };
  };
  return {
    rule: exactly('count_tolerance'),
    ...numbers(shown),
    // of the count, in hundredths
    tolerance_pills: between(1.5, Math.max(1.5, 0.05 * Number(shown['number_of_pills']) + 0.005)),
    differs_since: timeOf(...closings.map(({ time }) => time)),
    ...(isOver && {
      agrees_again: optional(fields(numbers((shown['agrees_again'] ?? {}) as Record<string, unknown>))),
    }),
  };
}

/** What the newest closing had left when the alert was raised, at the check or just before it. */
function countsThen({ story, raisedAt }: About): (number | undefined)[] {
  const closings = story!.actions.filter(({ action }) => action === 'closed');
  const moments = closings
    .map(({ known }) => known)
    .filter((known) => raisedAt - CHECKED_MS < known && known <= raisedAt);
  return [raisedAt - CHECKED_MS, ...moments].map(
    (moment) =>
      closings
        .filter(({ known }) => known <= moment)
        .toSorted((one, other) => one.time - other.time)
        .at(-1)?.pillsLeft,
  );
}

/** Numbers are given to four digits. */
const ROUNDED = 0.02;

/** What `shared_token` may say: of an action or a heartbeat, how many pills there were before it, and what the one before it left. */
export function sharedToken({ story, raisedAt }: About, shown: Record<string, unknown>): AllowedFields {
  const ofActions = story!.actions.flatMap(({ time, known, pillsLeft, pillsTaken }) =>
    known <= raisedAt && pillsLeft !== undefined
      ? [{ time, before: pillsLeft + pillsTaken, after: pillsLeft }]
      : [],
  );
  const ofHeartbeats = story!.counts
    .filter(({ at }) => at <= raisedAt)
    .map(({ at, pills }) => ({ time: at, before: pills, after: pills }));
  const isShown = ({ time }: { time: number }): boolean => time === Date.parse(String(shown['counted_at']));
  const counted = ofHeartbeats.some(isShown) ? ofHeartbeats : ofActions;
  const last = counted.findLastIndex(isShown);
  return {
    rule: exactly('two_counts'),
    counted_at: timeOf(...counted.map(({ time }) => time)),
    number_of_pills: exactly(counted[last]?.before),
    other_number_of_pills: exactly(counted[last - 1]?.after),
  };
}

/** What `battery_low` may say: the readings of the bottle. */
export function batteryLow({ facts, story, event, at, raisedAt }: About): AllowedFields {
  const readings = story!.batteries.filter((reading) => reading.at <= at);
  const low = readings.filter((reading) => reading.at <= raisedAt);
  const reading = {
    at: timeOf(...low.map((one) => one.at)),
    percent: oneOf(low.map(({ percent }) => percent)),
  };
  return {
    rule: exactly('battery_low_percent'),
    low_percent: exactly(Number(facts.setting('BATTERY_LOW_PERCENT'))),
    low_since: timeOf(...low.map((one) => one.at)),
    battery_percent: exactly(low.at(-1)?.percent),
    readings: {
      allows: (shown) => Array.isArray(shown) && shown.every(fields(reading).allows),
      text: 'readings of the battery',
    },
    ...(event === 'resolved' && {
      recovered_at: timeOf(...readings.map((one) => one.at)),
      recovered_percent: oneOf(readings.map(({ percent }) => percent)),
    }),
  };
}
