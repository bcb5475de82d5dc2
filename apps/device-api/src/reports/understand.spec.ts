import { batchClock, clockOf } from './device-times.js';
import { kindOf, understandAction, understandHeartbeat } from './understand.js';

const CLOSED = {
  action: 'closed',
  time: '2026-03-02T08:00:00Z',
  mass_of_contents: 50,
  number_of_pills: 29,
  pills_taken: 1,
};

describe('a field that cannot be meant is left out, and the report is understood', () => {
  it.each([
    [{ battery_percent: 255 }, {}, [['battery_percent', 'out_of_range']]],
    [{ rssi_dbm: 127, number_of_pills: 3 }, { number_of_pills: 3 }, [['rssi_dbm', 'out_of_range']]],
    [{ rssi_dbm: null }, {}, [['rssi_dbm', 'invalid_type']]],
    [{ battery_percent: '80' }, {}, [['battery_percent', 'invalid_type']]],
    [{ firmware: '1.3' }, {}, [['firmware', 'unknown_field']]],
    [{ sent_at: 'soon' }, {}, [['sent_at', 'invalid_time']]],
    [{ sent_at: '2026-03-02T09:00:00' }, { sent_at: '2026-03-02T09:00:00Z' }, []],
    [{ number_of_pills: 0.3 }, {}, [['number_of_pills', 'invalid_value']]],
    [{ mass_of_contents: -5 }, { mass_of_contents: 0 }, []],
    [{ mass_of_contents: 65535 }, {}, [['mass_of_contents', 'out_of_range']]],
    [{ number_of_pills: 32767 }, {}, [['number_of_pills', 'out_of_range']]],
    [{ number_of_pills: 255 }, { number_of_pills: 255 }, []],
    [{ mass_of_contents: -5.1 }, {}, [['mass_of_contents', 'out_of_range']]],
    [{ battery_percent: 80 }, { battery_percent: 80 }, []],
  ])('%j', (sent, body, ignored) => {
    const understood = understandHeartbeat(sent);
    expect({ ...understood.body }).toEqual(body);
    expect(understood.ignored.map(({ field, reason }) => [field, reason])).toEqual(ignored);
  });

  it.each([
    [{ mass_of_contents: -0.2 }, { ...CLOSED, mass_of_contents: 0 }],
    [{ event_id: 7 }, CLOSED],
    [{ time: 1772438400 }, { ...CLOSED, time: '2026-03-02T08:00:00.000Z' }],
    [{ time: 1772438400000 }, { ...CLOSED, time: '2026-03-02T08:00:00.000Z' }],
    [{ time: '2026-03-02T23:59:60Z' }, { ...CLOSED, time: '2026-03-03T00:00:00.000Z' }],
    [{ time: '2026-03-02T24:00Z' }, { ...CLOSED, time: '2026-03-03T00:00:00.000Z' }],
    [{ time: '2026-03-02T24:00:00+01:00' }, { ...CLOSED, time: '2026-03-02T23:00:00.000Z' }],
  ])('a closing with %j', (sent, body) => {
    expect({ ...understandAction({ ...CLOSED, ...sent }).body }).toEqual(body);
  });

  it.each([255, 65535, 0xffffffff, -1])('a closing with %d pills that were taken', (pills_taken) => {
    const { pills_taken: _, ...rest } = CLOSED;
    const { body, ignored } = understandAction({ ...CLOSED, pills_taken });
    expect({ ...body }).toEqual(rest);
    expect(ignored).toEqual([{ field: 'pills_taken', reason: 'out_of_range', kind: 'number' }]);
    expect(understandAction({ ...CLOSED, pills_taken: 254 }).body.pills_taken).toBe(254);
  });

  it('a closing needs neither weight nor count', () => {
    const { mass_of_contents: _m, number_of_pills: _n, ...rest } = CLOSED;
    expect(understandAction(rest)).toMatchObject({ body: rest, ignored: [] });
    expect({ ...understandAction({ ...CLOSED, mass_of_contents: null }).body }).toEqual({
      ...rest,
      number_of_pills: 29,
    });
  });

  it.each([
    ['2026-03-02T09:00:00', '2026-03-02T09:00:05'],
    ['2026-03-02T09:00', '2026-03-02T09:00:05.250'],
    ['2026-03-02T23:59:60', '2026-03-03T00:00:05'],
  ])('a time without a zone, %s, together with such a clock', (time, sent_at) => {
    const alone = understandAction({ ...CLOSED, time, sent_at });
    expect(alone).toMatchObject({ isWithoutZone: true, ignored: [], body: { sent_at: `${sent_at}Z` } });
    const inBatch = understandAction({ ...CLOSED, time }, sent_at);
    expect(inBatch.body.time).toBe(alone.body.time);
    expect(clockOf(batchClock(sent_at, undefined), inBatch.isWithoutZone)).toEqual(new Date(`${sent_at}Z`));
  });

  it.each(['2026-03-02T09:00:00Z', '2026-02-30T09:00:00', 'soon', 1772438400, undefined])(
    'a time without a zone, but with the clock %j, is none',
    (sent_at) => {
      expect(() => understandAction({ ...CLOSED, time: '2026-03-02T09:00:00', sent_at })).toThrow(
        'time has no zone',
      );
    },
  );

  it('a time with a zone needs no clock, and one without a zone corrects nothing', () => {
    const { body, ignored, isWithoutZone } = understandAction({ ...CLOSED, sent_at: '2026-03-02T09:00:00' });
    expect({ ...body }).toEqual(CLOSED);
    expect(ignored).toEqual([{ field: 'sent_at', reason: 'invalid_time', kind: 'string' }]);
    expect(isWithoutZone).toBe(false);
  });

  it.each([
    [undefined, 'missing'],
    [null, 'null'],
    [[1], 'array'],
    [{}, 'object'],
    ['a', 'string'],
    [1, 'number'],
    [true, 'boolean'],
  ])('the kind of %j is %s', (value, kind) => expect(kindOf(value)).toBe(kind));

  it.each([
    [{ action: 'shaken' }, 'action'],
    [{ action: undefined }, 'action'],
    [{ time: 'yesterday' }, 'time'],
    [{ time: '2026-03-02T08:00:00' }, 'time'],
    [{ time: null }, 'time'],
  ])('an action with %j has no meaning', (sent, field) => {
    expect(() => understandAction({ ...CLOSED, ...sent })).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ field })] }),
    );
  });

  it('32 fields that are not known are ignored; with 33 it is no report of ours', () => {
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, index]));
    expect(understandHeartbeat(fields(32)).ignored).toHaveLength(32);
    expect(() => understandHeartbeat(fields(33))).toThrow(
      expect.objectContaining({
        message: 'More than 32 fields of the report are not known; the first is f0.',
        errors: [expect.objectContaining({ field: 'f0', code: 'unknown_field' })],
      }),
    );
  });
});
