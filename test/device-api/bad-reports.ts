import { at, closed, opened } from './devices.js';

/** A report that is wrong in one field, and the error of that field. */
export type BadField = [what: string, wrong: Record<string, unknown>, code: string, field: string];

/** Without these fields a report has no meaning, or another one. */
const isRefused = ([, , code, field]: BadField): boolean =>
  ['action', 'time', 'bottle_id'].includes(field) || code === 'event_id_conflict';

const without = (body: object, field: string): Record<string, unknown> => ({ ...body, [field]: undefined });

/** What is wrong in an action wherever it stands: alone or in a batch. */
const WRONG_ACTIONS: BadField[] = [
  ['no action', without(opened(0), 'action'), 'missing_field', 'action'],
  ['no time', without(opened(0), 'time'), 'missing_field', 'time'],
  ['an opening with pills_taken', opened(0, { pills_taken: 1 }), 'forbidden_field', 'pills_taken'],
  ['an opening with no pills_taken', opened(0, { pills_taken: 0 }), 'forbidden_field', 'pills_taken'],
  ['an opening with null pills_taken', opened(0, { pills_taken: null }), 'forbidden_field', 'pills_taken'],
  ['a closing with null pills_taken', closed(0, { pills_taken: null }), 'invalid_type', 'pills_taken'],
  ['another action', opened(0, { action: 'shaken' }), 'invalid_value', 'action'],
  ['an action in capitals', opened(0, { action: 'OPENED' }), 'invalid_value', 'action'],
  ['a number for the action', opened(0, { action: 1 }), 'invalid_type', 'action'],
  ['an operator for the action', opened(0, { action: { $gt: '' } }), 'invalid_type', 'action'],
  ['a list of actions', opened(0, { action: ['opened'] }), 'invalid_type', 'action'],
  ['null for the action', opened(0, { action: null }), 'invalid_type', 'action'],
  ['a mass below nothing', opened(0, { mass_of_contents: -5.01 }), 'out_of_range', 'mass_of_contents'],
  ['a bottle of a tonne', opened(0, { mass_of_contents: 1e6 }), 'out_of_range', 'mass_of_contents'],
  ['the mass as text', opened(0, { mass_of_contents: '44.25' }), 'invalid_type', 'mass_of_contents'],
  [
    'an operator for the mass',
    opened(0, { mass_of_contents: { $inc: 1 } }),
    'invalid_type',
    'mass_of_contents',
  ],
  ['null for the mass', opened(0, { mass_of_contents: null }), 'invalid_type', 'mass_of_contents'],
  ['fewer than no pills', opened(0, { number_of_pills: -1 }), 'out_of_range', 'number_of_pills'],
  ['too many pills', opened(0, { number_of_pills: 1e308 }), 'out_of_range', 'number_of_pills'],
  ['a third of a pill', opened(0, { number_of_pills: 29.3 }), 'invalid_value', 'number_of_pills'],
  ['true pills', opened(0, { number_of_pills: true }), 'invalid_type', 'number_of_pills'],
  ['fewer than no pills taken', closed(0, { pills_taken: -1 }), 'out_of_range', 'pills_taken'],
  ['a third of a pill taken', closed(0, { pills_taken: 0.33 }), 'invalid_value', 'pills_taken'],
  ['absurdly many pills taken', closed(0, { pills_taken: 1e9 }), 'out_of_range', 'pills_taken'],
  ['a time of 1970', opened(0, { time: '1970-01-01T00:00:00Z' }), 'time_out_of_range', 'time'],
  ['a time of 2100', opened(0, { time: '2100-01-01T00:00:00Z' }), 'time_out_of_range', 'time'],
  ['a time without a zone', opened(0, { time: '2026-03-02T08:00:00' }), 'invalid_time', 'time'],
  ['a time that is an operator', opened(0, { time: { $date: at(0) } }), 'invalid_type', 'time'],
  ['a day that is none', opened(0, { time: '2026-02-30T08:00:00Z' }), 'invalid_time', 'time'],
  ['an empty event_id', opened(0, { event_id: '' }), 'out_of_range', 'event_id'],
  ['a long event_id', opened(0, { event_id: 'x'.repeat(101) }), 'out_of_range', 'event_id'],
  ['a number for event_id', opened(0, { event_id: 7 }), 'invalid_type', 'event_id'],
  ['an operator for event_id', opened(0, { event_id: { $gt: '' } }), 'invalid_type', 'event_id'],
  ['a used event_id for another event', closed(0, { event_id: 'first' }), 'event_id_conflict', 'event_id'],
  ['another bottle’s id', opened(0, { bottle_id: '0123456789abcdef01234567' }), 'unknown_field', 'bottle_id'],
  ['another user’s id', opened(0, { user_id: 'someone' }), 'unknown_field', 'user_id'],
  ['an _id', opened(0, { _id: '0123456789abcdef01234567' }), 'unknown_field', '_id'],
  ['a receive time', opened(0, { received_at: at(0) }), 'unknown_field', 'received_at'],
  ['an operator for a field', opened(0, { $where: 'sleep(1000)' }), 'unknown_field', '$where'],
  ['a dotted field', opened(0, { 'last_action.time': at(0) }), 'unknown_field', 'last_action.time'],
];

/** What is wrong in a heartbeat wherever it stands. */
const WRONG_HEARTBEATS: BadField[] = [
  ['a battery below nothing', { battery_percent: -1 }, 'out_of_range', 'battery_percent'],
  ['a battery above full', { battery_percent: 100.1 }, 'out_of_range', 'battery_percent'],
  ['a battery as text', { battery_percent: '80' }, 'invalid_type', 'battery_percent'],
  ['a null battery', { battery_percent: null }, 'invalid_type', 'battery_percent'],
  ['an operator for the battery', { battery_percent: { $gt: 0 } }, 'invalid_type', 'battery_percent'],
  ['an absurd signal', { rssi_dbm: -1e9 }, 'out_of_range', 'rssi_dbm'],
  ['a list of signals', { rssi_dbm: [-60] }, 'invalid_type', 'rssi_dbm'],
  ['a mass below nothing', { mass_of_contents: -6 }, 'out_of_range', 'mass_of_contents'],
  ['a part of a pill that is no quarter', { number_of_pills: 1.3 }, 'invalid_value', 'number_of_pills'],
  ['a null sent_at', { sent_at: null }, 'invalid_type', 'sent_at'],
  ['an operator for sent_at', { sent_at: { $gt: '' } }, 'invalid_type', 'sent_at'],
  ['a day that is none', { sent_at: '2025-02-29T00:00:00Z' }, 'invalid_time', 'sent_at'],
  ['another bottle’s id', { bottle_id: '0123456789abcdef01234567' }, 'unknown_field', 'bottle_id'],
  ['an action’s field', { action: 'opened' }, 'unknown_field', 'action'],
];

export const BAD_ACTIONS = WRONG_ACTIONS.filter(isRefused);
export const BAD_HEARTBEATS = WRONG_HEARTBEATS.filter(isRefused);
/** They are stored without the field. */
export const ODD_ACTIONS = WRONG_ACTIONS.filter((each) => !isRefused(each));
export const ODD_HEARTBEATS = WRONG_HEARTBEATS.filter((each) => !isRefused(each));

/** Reports with nothing wrong, though they are not what the guide shows. */
export const PLAIN_REPORTS: [what: string, body: Record<string, unknown>][] = [
  ['without a weight', without(opened(0), 'mass_of_contents')],
  ['without a count', without(opened(0), 'number_of_pills')],
  ['without pills_taken', without(closed(0), 'pills_taken')],
  ['of a scale just below zero', closed(0, { mass_of_contents: -0.2, number_of_pills: 0 })],
  ['at a time in seconds', opened(0, { time: 1_772_438_400 })],
  ['at a time in milliseconds', opened(0, { time: 1_772_438_400_000 })],
  ['in a leap second', opened(0, { time: '2026-03-02T07:58:60Z' })],
  ['at 24 o’clock', opened(0, { time: '2026-03-01T24:00:00Z' })],
];
