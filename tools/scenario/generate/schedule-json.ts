import { type DosePlan, MINUTE } from './oracle/facts.js';

const minutes = (span: number): string => `${span / MINUTE}m`;

/** A plan as `PUT /v1/bottles/:id/schedule` takes it. */
export function scheduleJson(plan: DosePlan): Record<string, unknown> {
  const common = {
    pills_per_dose: plan.pills,
    early_window: minutes(plan.early),
    late_after: minutes(plan.late),
    missed_after: minutes(plan.missed),
    ...(plan.until !== undefined && { until: plan.until }),
    ...(plan.doses !== undefined && { doses: plan.doses }),
    ...(plan.statesZone ? { time_zone: plan.zone } : {}),
  };
  switch (plan.kind) {
    case 'as_needed':
      return {
        kind: plan.kind,
        max_per_day: plan.maxPerDay,
        ...(plan.minInterval > 0 && { min_interval: minutes(plan.minInterval) }),
        ...common,
      };
    case 'interval':
      return {
        kind: plan.kind,
        every: minutes(plan.every),
        anchor: new Date(plan.anchor).toISOString(),
        ...common,
      };
    case 'times_of_day':
      return {
        kind: plan.kind,
        times: plan.times.map((at, place) => {
          const pills = plan.amounts?.[place];
          return pills === undefined ? at : { at, pills };
        }),
        ...(plan.monthDays && { days_of_month: plan.monthDays }),
        ...(plan.days.length > 0 ? { days_of_week: plan.days } : {}),
        ...(plan.cycle
          ? {
              cycle: { days_on: plan.cycle.on, days_off: plan.cycle.off, anchor: plan.cycle.anchor },
            }
          : {}),
        ...common,
      };
  }
}
