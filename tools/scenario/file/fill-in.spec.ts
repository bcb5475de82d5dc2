import { fillIn } from './fill-in.js';
import { parseScenario } from './parse-scenario.js';

const closing = (at: string, eventId: string, fields: object = {}): object => ({
  at,
  bottle: 'a',
  action: { action: 'closed', pills_taken: 1, event_id: eventId, ...fields },
});

function weights(events: readonly object[]): unknown[] {
  const scenario = parseScenario({
    name: 'weights',
    start: '2026-03-02T06:00:00Z',
    end: '2026-03-20T06:00:00Z',
    settings: {},
    bottles: [{ key: 'a', user_id: 'u', time_zone: 'UTC', medication: 'Cordrazine', number_of_pills: 10 }],
    events,
    expect: {},
  });
  fillIn(scenario);
  return scenario.events.map((event) => {
    if (event.type !== 'report' || event.report.path !== '/v1/actions') throw new Error('no action');
    const { number_of_pills, mass_of_contents } = event.report.body;
    return [number_of_pills, mass_of_contents];
  });
}

it('a closing without counts leaves one pill less; a repetition says the same', () => {
  const first = closing('2026-03-02T08:00:00Z', '1');
  expect(weights([first, first, closing('2026-03-03T08:00:00Z', '2')])).toEqual([
    [9, 15.93],
    [9, 15.93],
    [8, 14.16],
  ]);
});

it('the same name a day later is another event: the weight is that of its own pills', () => {
  const later = closing('2026-03-12T08:00:00Z', '1', { number_of_pills: 5 });
  expect(weights([closing('2026-03-02T08:00:00Z', '1'), later])).toEqual([
    [9, 15.93],
    [5, 8.85],
  ]);
});
