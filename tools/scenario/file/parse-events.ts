import {
  ADDRESS_TAKES,
  BEHAVIOURS,
  CHANNELS,
  SYSTEM_CHANGES,
  type ActionBody,
  type BatchItem,
  type ScenarioEvent,
  type StaffAction,
} from './format.js';
import { defined, type Reader } from './reader.js';

const TYPES = [
  'heartbeats',
  'action',
  'batch',
  'staff',
  'press',
  'contact',
  'system',
  'channel',
  'endpoint',
  'address',
] as const;
const ACTION_KEYS = [
  'action',
  'time',
  'mass_of_contents',
  'number_of_pills',
  'pills_taken',
  'event_id',
  'sent_at',
];
const VITALS = ['battery_percent', 'rssi_dbm', 'mass_of_contents', 'number_of_pills'];
const HEARTBEAT_KEYS = ['sent_at', ...VITALS];
const STAFF_ACTIONS = [
  'acknowledge',
  'snooze',
  'close',
  'attest',
  'withdraw',
  'schedule',
  'remove_step',
  'pause',
  'period',
  'change_period',
  'remove_period',
  'change',
  'retire',
  'store',
  'assign',
  'erase',
] as const;
const LIFE_KEYS = { retire: ['reason'], store: [], assign: ['user_id', 'schedule'] } as const;
const STATEMENT_KEYS = ['kind', 'taken_at', 'pills', 'source', 'reason', 'attested_by', 'note'];

/** The file's events; one that concerns both channels becomes two. @throws ScenarioFileError */
export function parseEvents(events: Reader, keys: readonly string[], end: Date): ScenarioEvent[] {
  return events.list().flatMap((event) => readEvent(event, keys, end));
}

function readEvent(event: Reader, keys: readonly string[], end: Date): ScenarioEvent[] {
  event.object(['at', 'bottle', 'repeat', 'after_commands', ...TYPES]);
  const types = TYPES.filter((type) => event.at(type).given);
  const [type] = types;
  if (type === undefined || types.length > 1) event.fail(`must have exactly one of ${TYPES.join(', ')}`);
  const at = event.at('at').instant();
  const field = event.at(type);
  const bottle = (): string => event.at('bottle').oneOf(keys);
  const repeat = event.optional('repeat', (times) => times.number()) ?? 1;
  switch (type) {
    case 'heartbeats': {
      field.object(['every', 'until', 'vitals']);
      // without `every` it is a single one
      const every = field.optional('every', (span) => span.duration()) ?? Infinity;
      const until = field.optional('until', (last) => last.instant()) ?? end;
      const vitals = field.optional('vitals', readVitals);
      return [{ at, type, bottle: bottle(), every, until, ...defined({ vitals }) }];
    }
    case 'action':
      return [
        {
          at,
          type: 'report',
          bottle: bottle(),
          report: { path: '/v1/actions', body: readAction(field, at) },
          repeat,
        },
      ];
    case 'batch': {
      field.object(['sent_at', 'items']);
      const sent_at = field.optional('sent_at', readDeviceTime);
      const items = field
        .at('items')
        .list()
        .map((item) => readItem(item, at));
      return [
        {
          at,
          type: 'report',
          bottle: bottle(),
          report: { path: '/v1/batch', body: { ...defined({ sent_at }), items } },
          repeat,
        },
      ];
    }
    case 'staff':
      return [{ at, type, action: readStaffAction(field, keys) }];
    case 'press':
      field.object(['to', 'button', 'scheduled_at']);
      return [
        {
          at,
          type,
          press: {
            bottle: bottle(),
            to: field.at('to').text(),
            button: field.at('button').text(),
            ...defined({ scheduled_at: field.optional('scheduled_at', readTime) }),
          },
        },
      ];
    case 'contact': {
      const { user_id: _user_id, ...body } = field.object();
      const user_id = field.at('user_id').text();
      return [{ at, type, contact: Object.keys(body).length === 0 ? { user_id } : { user_id, body } }];
    }
    case 'system':
      return [
        {
          at,
          type,
          change: field.oneOf(SYSTEM_CHANGES),
          ...defined({ afterCommands: event.optional('after_commands', (commands) => commands.number()) }),
        },
      ];
    case 'channel':
      field.object(CHANNELS);
      return CHANNELS.filter((channel) => field.at(channel).given).map((channel) => ({
        at,
        type,
        channel,
        behaviour: field.at(channel).oneOf(BEHAVIOURS),
      }));
    case 'endpoint':
      return Object.keys(field.object()).map((endpoint) => ({
        at,
        type,
        endpoint,
        behaviour: field.at(endpoint).oneOf(BEHAVIOURS),
      }));
    case 'address':
      return Object.keys(field.object()).map((address) => ({
        at,
        type,
        address,
        takes: field.at(address).oneOf(ADDRESS_TAKES),
      }));
  }
}

/** A device's time is sent as it was written: it may be any nonsense that is a time. */
function readTime(time: Reader): string {
  time.instant();
  return time.text();
}

/** A device's clock may know no zone. */
function readDeviceTime(time: Reader): string {
  const text = time.text();
  return Number.isNaN(Date.parse(`${text}Z`)) ? readTime(time) : text;
}

function readAction(action: Reader, at: Date, more: string[] = []): ActionBody {
  action.object([...ACTION_KEYS, ...more]);
  return {
    action: action.at('action').oneOf(['opened', 'closed']),
    time: action.optional('time', readDeviceTime) ?? at.toISOString(),
    ...defined({
      mass_of_contents: action.optional('mass_of_contents', (field) => field.number()),
      number_of_pills: action.optional('number_of_pills', (field) => field.number()),
      pills_taken: action.optional('pills_taken', (field) => field.number()),
      event_id: action.optional('event_id', (field) => field.text()),
      sent_at: action.optional('sent_at', readDeviceTime),
    }),
  };
}

function readItem(item: Reader, at: Date): BatchItem {
  const type = item.optional('type', (field) => field.oneOf(['heartbeat', 'action'] as const)) ?? 'action';
  return type === 'action'
    ? { type, ...readAction(item, at, ['type']) }
    : { ...item.object(['type', ...HEARTBEAT_KEYS]), type };
}

function readStaffAction(staff: Reader, keys: readonly string[]): StaffAction {
  staff.object(STAFF_ACTIONS);
  const actions = STAFF_ACTIONS.filter((action) => staff.at(action).given);
  const [action] = actions;
  if (action === undefined || actions.length > 1)
    staff.fail(`must have exactly one of ${STAFF_ACTIONS.join(', ')}`);
  const fields = staff.at(action);
  const bottle = fields.at('bottle').oneOf(keys);
  switch (action) {
    case 'schedule': {
      const { bottle: _bottle, ...body } = fields.object([
        'bottle',
        'schedule',
        'steps',
        'replaces',
        'replaces_later',
      ]);
      if (!fields.at('steps').given) fields.at('schedule').object();
      return { action, bottle, body };
    }
    case 'remove_step':
      fields.object(['bottle', 'effective_from']);
      return { action, bottle, effective_from: readTime(fields.at('effective_from')) };
    case 'pause':
      fields.object(['bottle', 'from', 'to']);
      return {
        action,
        bottle,
        ...defined({ from: fields.optional('from', readTime) }),
        to: readTime(fields.at('to')),
      };
    case 'period':
    case 'change_period':
    case 'remove_period': {
      const {
        bottle: _bottle,
        of_person: _ofPerson,
        ...body
      } = fields.object(['bottle', 'of_person', 'reason', 'from', 'to', 'note']);
      const ofPerson = fields.optional('of_person', (field) => field.flag()) ?? false;
      return { action, bottle, ofPerson, body };
    }
    case 'attest': {
      const {
        bottle: _bottle,
        scheduled_at: _slot,
        ...body
      } = fields.object(['bottle', 'scheduled_at', ...STATEMENT_KEYS]);
      return { action, bottle, scheduled_at: readTime(fields.at('scheduled_at')), body };
    }
    case 'withdraw':
      fields.object(['bottle', 'scheduled_at']);
      return { action, bottle, scheduled_at: readTime(fields.at('scheduled_at')) };
    case 'change':
      fields.object(['bottle', 'time_zone', 'dose_times', 'user_id', 'plan_of']);
      return {
        action,
        bottle,
        ...defined({
          time_zone: fields.optional('time_zone', (zone) => zone.text()),
          dose_times: fields.optional('dose_times', (times) => times.text()),
          user_id: fields.optional('user_id', (user) => user.text()),
          plan_of: fields.optional('plan_of', (plan) => plan.oneOf(keys)),
        }),
        ...(fields.at('plan_of').value === null && { plan_of: null }),
      };
    case 'retire':
    case 'store':
    case 'assign': {
      const { bottle: _bottle, ...body } = fields.object(['bottle', 'note', ...LIFE_KEYS[action]]);
      for (const key of LIFE_KEYS[action]) if (key !== 'schedule') fields.at(key).text();
      return { action, bottle, body } as StaffAction;
    }
    case 'erase':
      fields.object(['bottle']);
      return { action, bottle };
    default: {
      const {
        bottle: _bottle,
        kind: _kind,
        ...body
      } = fields.object(['bottle', 'kind', 'until', 'note', 'reason', 'notify']);
      return { action, bottle, kind: fields.at('kind').text(), body };
    }
  }
}

function readVitals(vitals: Reader): Record<string, number> {
  vitals.object(VITALS);
  return Object.fromEntries(
    VITALS.filter((key) => vitals.at(key).given).map((key) => [key, vitals.at(key).number()]),
  );
}
