import { endsAt, periodAt, PERIOD_RULES, reasonOf, type UnmonitoredPeriod } from './periods.js';
import { isWithin, type SharedPlan } from './shared-plan.js';

/** A further bottle of a plan: when it is for the plan, and its own periods without monitoring. */
export interface Further {
  shared: readonly Pick<SharedPlan, 'from' | 'until'>[];
  periods?: readonly UnmonitoredPeriod[];
}

/** A time [from, until) in epoch milliseconds. */
export interface Span {
  from: number;
  until: number;
}

interface Part extends Span {
  /** The bottle's own, in which all of the part is. */
  period?: UnmonitoredPeriod;
}

/** The time in which a bottle is for the plan, cut where a period of its own begins or ends. */
function partsOf({ shared, periods = [] }: Further): Part[] {
  const bounds = periods.flatMap((period) => [period.from.getTime(), endsAt(period)]);
  return shared.flatMap(({ from, until }) => {
    const [begins, ends] = [from.getTime(), until ? until.getTime() : Infinity];
    const within = bounds.filter((at) => begins < at && at < ends);
    const cuts = [...new Set([begins, ...within])].sort((one, other) => one - other);
    return cuts.map((cut, index): Part => {
      const period = periodAt(periods, new Date(cut));
      return { from: cut, until: cuts[index + 1] ?? ends, ...(period && { period }) };
    });
  });
}

/** When the plan needs a contact with a further bottle: not in a period of its own, in which nobody expects one (PLAN-8). */
export function askedSpans(bottle: Further): Span[] {
  const asked = partsOf(bottle).filter(({ period }) => !period);
  return asked.reduce<Span[]>((spans, { from, until }) => {
    const last = spans.at(-1);
    return last?.until === from
      ? [...spans.slice(0, -1), { from: last.from, until }]
      : [...spans, { from, until }];
  }, []);
}

/** Those of the further bottles of a plan that it needs a contact with at an instant. */
export function askedAt<
  M extends { bottle: { pauses: readonly UnmonitoredPeriod[] }; shared: Further['shared'] },
>(members: readonly M[], at: Date): M[] {
  return members.filter(({ bottle, shared }) => isAsked({ shared, periods: bottle.pauses }, at));
}

/** Whether the plan needs a contact with this bottle at an instant. */
export function isAsked({ shared, periods = [] }: Further, at: Date): boolean {
  return shared.some((each) => isWithin(each, at)) && !periodAt(periods, at);
}

/**
 * The period of a further bottle in which a dose may have been taken that the bottle does not report.
 *
 * @param opens when the window of the dose opens
 * @param until up to when it may have been taken, included
 */
export function hidingPeriod(
  others: readonly Further[],
  opens: Date,
  until: Date,
): UnmonitoredPeriod | undefined {
  return others
    .flatMap(partsOf)
    .find(
      ({ from, until: ends, period }) =>
        period &&
        PERIOD_RULES[reasonOf(period)].hidesDoses &&
        from <= until.getTime() &&
        opens.getTime() < ends,
    )?.period;
}
