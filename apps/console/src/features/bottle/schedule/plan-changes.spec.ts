import type { ScheduleVersion } from '../../../api/schema.js';
import { planChanges } from './plan-changes.js';

const step = (pills_per_dose: number, day: string, more: object = {}): ScheduleVersion => ({
  effective_from: `2026-03-${day}Z`,
  time_zone: 'UTC',
  schedule: { kind: 'times_of_day', times: ['08:00'], pills_per_dose, ...more },
});
const [four, three, two] = [step(4, '01T00:00'), step(3, '08T00:00'), step(2, '15T00:00')];
const TAPER = [four, three, two];
const PLAN = { current: four, coming: [three, two] };
const today = step(5, '02T11:59');

it.each<[string, boolean, ScheduleVersion[], string[]]>([
  ['nothing', false, TAPER, ['4 stays', '3 stays', '2 stays']],
  ['today’s dose', true, [today, three, two], ['4 ends', '5 new now', '3 stays', '2 stays']],
  ['today’s dose, without the later steps', true, [today], ['4 ends', '5 new now', '3 removed', '2 removed']],
  ['a planned step', false, [four, step(1, '08T00:00'), two], ['4 stays', '1 changed', '2 stays']],
  [
    'when a planned step begins',
    false,
    [four, step(3, '10T00:00'), two],
    ['4 stays', '3 removed', '3 new', '2 stays'],
  ],
  ['a step at the end', false, [...TAPER, step(1, '22T00:00')], ['4 stays', '3 stays', '2 stays', '1 new']],
])('names what saving changes: %s', (_, savedNow, after, expected) => {
  expect(
    planChanges(PLAN, after, savedNow).map(
      ({ step: { schedule }, change, beginsNow }) =>
        `${schedule.pills_per_dose} ${change}${beginsNow ? ' now' : ''}`,
    ),
  ).toEqual(expected);
});

it('takes the same beginning, written in another way, for no change', () => {
  const again = step(3, '08T00:00', { effective_from: '2026-03-08T01:00+01:00' });
  expect(planChanges(PLAN, [four, again, two], false)[1]).toMatchObject({ change: 'stays' });
});
