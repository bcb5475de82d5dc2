import { DAY_MS } from '../time/durations.js';
import { actionId, heartbeatId, isOneEvent, reusedActionIds, type ReportedAction } from './report-ids.js';

const BOTTLE = '0123456789abcdef01234567';
const OTHER_BOTTLE = 'fedcba9876543210fedcba98';

const closing: ReportedAction = {
  action: 'closed',
  time: new Date('2026-03-02T08:00:00Z'),
  mass_of_contents: 44.25,
  number_of_pills: 30,
  pills_taken: 1,
};

describe('actionId', () => {
  it('is the same for a retry', () => {
    expect(actionId(BOTTLE, closing)).toMatch(/^[0-9a-f]{24}$/);
    expect(actionId(BOTTLE, { ...closing, time: new Date(closing.time) })).toBe(actionId(BOTTLE, closing));
  });

  it.each<[string, Partial<ReportedAction>]>([
    ['action', { action: 'opened' }],
    ['time', { time: new Date('2026-03-02T08:00:00.001Z') }],
    ['mass', { mass_of_contents: 44.26 }],
    ['pills', { number_of_pills: 29 }],
    ['pills taken', { pills_taken: 2 }],
    ['no pills taken for none', { pills_taken: 0 }],
  ])('without a name differs by %s', (_, change) =>
    expect(actionId(BOTTLE, { ...closing, ...change })).not.toBe(actionId(BOTTLE, closing)),
  );

  it('with a name is made of the name alone: a retry may weigh again', () => {
    const named = { ...closing, event_id: 'e-1' };
    expect(actionId(BOTTLE, { ...named, mass_of_contents: 1 })).toBe(actionId(BOTTLE, named));
    expect(actionId(BOTTLE, { ...named, event_id: 'e-2' })).not.toBe(actionId(BOTTLE, named));
    expect(actionId(BOTTLE, named)).not.toBe(actionId(BOTTLE, closing));
  });

  it.each([closing, { ...closing, event_id: 'e-1' }])('never collides with another bottle’s', (report) =>
    expect(actionId(OTHER_BOTTLE, report)).not.toBe(actionId(BOTTLE, report)),
  );
});

describe('heartbeatId', () => {
  const received = new Date('2026-03-02T08:00:05Z');
  const later = new Date('2026-03-02T09:00:00Z');
  const sent = new Date('2026-03-02T08:00:00Z');

  it('is named by the sending, whenever it comes and whatever it says', () => {
    expect(heartbeatId(BOTTLE, later, sent, { battery_percent: 5 })).toBe(
      heartbeatId(BOTTLE, received, sent),
    );
    expect(heartbeatId(BOTTLE, received, later)).not.toBe(heartbeatId(BOTTLE, received, sent));
  });

  it('is named by its receipt and what it says when it does not say when it was sent', () => {
    expect(heartbeatId(BOTTLE, received)).toBe(heartbeatId(BOTTLE, new Date(received)));
    expect(heartbeatId(BOTTLE, received)).not.toBe(heartbeatId(BOTTLE, later));
    const full = heartbeatId(BOTTLE, received, undefined, { battery_percent: 100, rssi_dbm: -60 });
    expect(heartbeatId(BOTTLE, received, undefined, { rssi_dbm: -60, battery_percent: 100 })).toBe(full);
    expect(heartbeatId(BOTTLE, received, undefined, { battery_percent: 99, rssi_dbm: -60 })).not.toBe(full);
    expect(heartbeatId(BOTTLE, received, undefined, { rssi_dbm: undefined })).toBe(
      heartbeatId(BOTTLE, received),
    );
  });

  it('tells a sending from a receipt in the same moment, and one bottle from another', () => {
    expect(heartbeatId(BOTTLE, sent)).not.toBe(heartbeatId(BOTTLE, received, sent));
    expect(heartbeatId(OTHER_BOTTLE, received, sent)).not.toBe(heartbeatId(BOTTLE, received, sent));
  });
});

describe('an event id that comes again', () => {
  const at = (ms: number): Date => new Date(closing.time.getTime() + ms);

  it.each([
    ['less than a day later', { time: at(DAY_MS - 1) }, true],
    ['less than a day earlier', { time: at(1 - DAY_MS) }, true],
    ['a day later', { time: at(DAY_MS) }, false],
    ['a day earlier', { time: at(-DAY_MS) }, false],
    ['days later in the same bytes, with an old sent_at', { time: at(3 * DAY_MS), device_time: at(0) }, true],
    [
      'days later at the same time of a clock that begins anew, with another count',
      { time: at(3 * DAY_MS), device_time: at(0), number_of_pills: 3 },
      false,
    ],
    ['days later by a clock that was set back', { time: at(3 * DAY_MS), device_time: at(1) }, false],
  ])('%s: is one event: %s', (_, other, isOne) => {
    expect(isOneEvent({ time: at(0) }, other)).toBe(isOne);
    expect(isOneEvent(other, { time: at(0) })).toBe(isOne);
  });

  it('names the event by its day, and finds it less than a day away and by the device’s day', () => {
    const { own, possible } = reusedActionIds(BOTTLE, 'e-1', { time: at(0) });
    for (const ms of [DAY_MS - 1, 1 - DAY_MS])
      expect(reusedActionIds(BOTTLE, 'e-1', { time: at(ms) }).possible).toContain(own);
    expect(possible).toHaveLength(3);
    expect(reusedActionIds(BOTTLE, 'e-1', { time: at(9 * DAY_MS), device_time: at(0) }).possible).toContain(
      own,
    );
    expect(reusedActionIds(BOTTLE, 'e-2', { time: at(0) }).own).not.toBe(own);
    expect(reusedActionIds(OTHER_BOTTLE, 'e-1', { time: at(0) }).own).not.toBe(own);
  });
});
