import {
  correctionsOf,
  dayAfter,
  dayOfOpening,
  midnight,
  type Monitor,
  noon,
  notMonitored,
  readMonitors,
  readPatients,
  stepsOf,
} from '../../../../test/adherence-study/study.js';
import { parseSchedule, slotsBetween } from '../doses/index.js';
import { type DosingDay, type DoseStatement, dosingDays, type RemovedPills } from './dosing-days.js';
import { commonDays, taxonomyFigures } from './taxonomy.js';

/** Every dose is judged as missed: what counts for a day is what left the bottle on it. */
function daysOf(monitor: Monitor): DosingDay[] {
  const versions = stepsOf(monitor).map((step) => ({
    effective_from: new Date(step.effective_from),
    time_zone: 'UTC',
    schedule: parseSchedule(step),
  }));
  const [from, to] = [midnight(monitor.from), midnight(dayAfter(monitor.to))];
  const slots = slotsBetween(versions, [], from, to);
  const removals = monitor.openings.map((time) => ({ time: new Date(`${time}Z`), pills: 1 }));
  const attested: DoseStatement[] = [];
  const no_doses: RemovedPills[] = [];
  for (const [date, doses] of correctionsOf(monitor)) {
    const slot = slots.find(({ scheduled_at }) => dayOfOpening(scheduled_at) === date);
    if (doses > 0 && slot)
      attested.push({ scheduled_at: slot.scheduled_at, outcome: 'taken', pills: doses, source: 'elsewhere' });
    // of one no opening is recorded on its day
    if (doses < 0) no_doses.push({ time: noon(date), pills: -doses });
  }
  return dosingDays({
    plan: { versions, periods: notMonitored(monitor) },
    removals,
    outcomes: slots.map(({ scheduled_at }) => ({ scheduled_at, outcome: 'missed', pills_taken: 0 })),
    attested,
    no_doses,
    from,
    to,
    now: new Date(to.getTime() + 86_400_000),
    zone: 'UTC',
  });
}

describe('figures of a published adherence study', () => {
  const monitors = readMonitors();

  it.each(monitors.map((monitor) => [`${monitor.patient} ${monitor.monitor}`, monitor] as const))(
    '%s: every day, and the share of days',
    (_, monitor) => {
      const days = daysOf(monitor);
      expect(
        days.map(({ local_date, measured, reported }) => ({
          date: local_date,
          recorded: measured.removed,
          corrected: reported.removed,
          expected: measured.expected,
          non_monitored: reported.left_out === 'not_monitored',
          implementation: reported.implemented,
        })),
      ).toEqual(monitor.published.days.map(({ added: _added, ...day }) => day));
      const { ratio } = taxonomyFigures(days, 'reported').implementation;
      expect(Math.abs(ratio! - monitor.published.implementation)).toBeLessThan(1e-9);
    },
  );

  it.each(Object.entries(readPatients()))('patient %s, over all monitors: %d', (patient, published) => {
    const days = commonDays(monitors.filter((monitor) => monitor.patient === patient).map(daysOf));
    const { ratio } = taxonomyFigures(days, 'reported').implementation;
    expect(Math.abs(ratio! - published)).toBeLessThan(1e-9);
  });
});
