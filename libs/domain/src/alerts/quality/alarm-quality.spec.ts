import {
  type Alarm,
  alarmQuality,
  bottleDays,
  noAlarms,
  type Registered,
  withAlarm,
} from './alarm-quality.js';

const at = (time: string): Date => new Date(`${time}Z`);
const message = (event: string, time = '2026-03-01T08:00', sent = true) => ({
  event,
  sent,
  created_at: at(time),
});
const ALARM: Alarm = {
  kind: 'missed_dose',
  medication: 'Cordrazine',
  raised_at: at('2026-03-01T08:00'),
  state: 'resolved',
  messages: [message('raised')],
};
const NONE = { alerts: 0, messages: 0 };

describe('alarm quality', () => {
  it.each<[string, Partial<Alarm>, object]>([
    ['an alert with a message', {}, { alerts: 1, messages: 1, retracted: 0, acknowledged_in_time: 0 }],
    ['an alert without one', { messages: [] }, NONE],
    ['a message that was not sent', { messages: [message('raised', '2026-03-01T08:00', false)] }, NONE],
    ['a retraction', { state: 'retracted' }, { retracted: 1 }],
    ['a correction', { messages: [message('raised'), message('corrected')] }, { corrected: 1, messages: 2 }],
    ['a statement', { messages: [message('missed'), message('reported_taken')] }, { attested_otherwise: 1 }],
    ['a closing because of the device', { closing: { reason: 'device_fault' } }, { closed_as_false: 1 }],
    ['a closing by phone', { closing: { reason: 'settled_by_phone' } }, { closed_as_false: 0 }],
  ])('counts %s', (_, alarm, counts) => {
    expect(withAlarm(noAlarms(), { ...ALARM, ...alarm })).toMatchObject(counts);
  });

  it.each([
    ['before a reminder', '08:05', '08:15', 1],
    ['at the time of a reminder', '08:15', '08:15', 1],
    ['after a reminder', '08:16', '08:15', 0],
  ])('an alert is acknowledged in time %s', (_, acknowledged, reminded, in_time) => {
    const messages = [message('raised'), message('escalated', `2026-03-01T${reminded}`)];
    const acknowledged_at = at(`2026-03-01T${acknowledged}`);
    expect(withAlarm(noAlarms(), { ...ALARM, messages, acknowledged_at }).acknowledged_in_time).toBe(in_time);
  });

  it('bottle-days are counted from registration, by fleet, medication and month', () => {
    const range = { from: at('2026-01-16T00:00'), to: at('2026-03-03T00:00') };
    const registered: Registered[] = [
      { medication: 'Cordrazine', month: null, bottles: 2, offset_ms: 0 },
      // on 2026-02-26
      { medication: 'Inaprovaline', month: '2026-02', bottles: 1, offset_ms: 41 * 86_400_000 },
    ];
    expect([...bottleDays(registered, [], range, 'fleet')]).toEqual([[null, 2 * 46 + 5]]);
    expect([...bottleDays(registered, [], range, 'medication')]).toEqual([
      ['Cordrazine', 92],
      ['Inaprovaline', 5],
    ]);
    expect([...bottleDays(registered, [], range, 'month')]).toEqual([
      ['2026-01', 32],
      ['2026-02', 56 + 3],
      ['2026-03', 4 + 2],
    ]);
  });

  it('bottle-days end when a bottle is retired', () => {
    const range = { from: at('2026-01-16T00:00'), to: at('2026-03-03T00:00') };
    const registered: Registered[] = [
      { medication: 'Cordrazine', month: null, bottles: 3, offset_ms: 0 },
      { medication: 'Inaprovaline', month: null, bottles: 1, offset_ms: 0 },
    ];
    const retired: Registered[] = [
      { medication: 'Cordrazine', month: null, bottles: 1, offset_ms: 0 },
      // on 2026-02-26
      { medication: 'Cordrazine', month: '2026-02', bottles: 1, offset_ms: 41 * 86_400_000 },
    ];
    expect([...bottleDays(registered, retired, range, 'fleet')]).toEqual([[null, 3 * 46 - 5]]);
    expect([...bottleDays(registered, retired, range, 'medication')]).toEqual([
      ['Cordrazine', 46 + 41],
      ['Inaprovaline', 46],
    ]);
    expect([...bottleDays(registered, retired, range, 'month')]).toEqual([
      ['2026-01', 48],
      ['2026-02', 3 * 28 - 3],
      ['2026-03', 2 * 2],
    ]);
  });

  it('is messages of 1,000 bottle-days, and null without any', () => {
    const counts = new Map([[null, new Map([['missed_dose' as const, withAlarm(noAlarms(), ALARM)]])]]);
    const [row] = alarmQuality(counts, new Map([[null, 50]]));
    expect(row).toMatchObject({
      messages_per_1000_bottle_days: 20,
      retracted: { numerator: 0, denominator: 1 },
    });
    expect(alarmQuality(counts, new Map())[0]!.messages_per_1000_bottle_days).toBeNull();
  });
});
