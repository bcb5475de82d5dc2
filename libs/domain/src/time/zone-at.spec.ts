import { zoneAt } from './zone-at.js';

const [moved, again] = [new Date('2026-03-01T12:00:00Z'), new Date('2026-04-01T12:00:00Z')];
const history = {
  time_zone: 'Asia/Tokyo',
  former_time_zones: [
    { time_zone: 'Europe/Berlin', until: moved },
    { time_zone: 'America/New_York', until: again },
  ],
};

it.each([
  [new Date(moved.getTime() - 1), 'Europe/Berlin'],
  [moved, 'America/New_York'],
  [again, 'Asia/Tokyo'],
])('at %s the bottle was at home in %s', (at, zone) => expect(zoneAt(history, at)).toBe(zone));

it('a bottle that never moved is where it is', () => {
  expect(zoneAt({ time_zone: 'UTC' }, moved)).toBe('UTC');
});
