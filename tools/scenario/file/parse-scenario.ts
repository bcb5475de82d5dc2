import {
  type BottleSpec,
  type ContactSpec,
  type EndpointSpec,
  type ExpectedContent,
  LINKS,
  RECEIVED,
  type Scenario,
  type Truth,
} from './format.js';
import { parseEvents } from './parse-events.js';
import { defined, Reader } from './reader.js';

/** `proves` and `description` are for the reader of the file. */
const KEYS = [
  'name',
  'proves',
  'description',
  'start',
  'end',
  'settings',
  'bottles',
  'contacts',
  'endpoints',
  'staff_browsers',
  'events',
  'expect',
];
const BOTTLE_KEYS = [
  'key',
  'user_id',
  'medication',
  'label',
  'time_zone',
  'number_of_pills',
  'schedule',
  'plan_of',
  'gateway',
];

/**
 * Checks a scenario file (issue 5, "Scenarios").
 *
 * @throws ScenarioFileError naming the place; a key that is not known is refused by name.
 */
export function parseScenario(json: unknown): Scenario {
  const file = new Reader(json);
  file.object(KEYS);
  const bottles = file.at('bottles').list().map(readBottle);
  const keys = bottles.map(({ key }) => key);
  const repeated = keys.find((key, index) => keys.indexOf(key) !== index);
  if (repeated !== undefined) file.at('bottles').fail(`two bottles have the key "${repeated}"`);
  for (const [index, { plan_of: planOf }] of bottles.entries())
    if (planOf !== undefined && !keys.slice(0, index).includes(planOf))
      file.at('bottles').fail(`plan_of is no bottle before it: "${planOf}"`);
  const [start, end] = [file.at('start').instant(), file.at('end').instant()];
  if (end <= start) file.at('end').fail('must be after start');
  const events = parseEvents(file.at('events'), keys, end);
  const early = events.find(({ at }) => at < start);
  if (early) file.at('events').fail(`${early.at.toISOString()} lies before start`);
  return {
    name: file.at('name').text(),
    start,
    end,
    settings: file.optional('settings', readSettings) ?? {},
    bottles,
    contacts: file.at('contacts').list().map(readContact),
    endpoints: file.optional('endpoints', (field) => field.list().map(readEndpoint)) ?? [],
    staffBrowsers: file.optional('staff_browsers', (field) => field.list().map((each) => each.text())) ?? [],
    events,
    expect: readTruth(file.at('expect'), keys),
  };
}

function readSettings(settings: Reader): Record<string, string> {
  const given = Object.keys(settings.object()).map((key) => [key, String(settings.at(key).value)]);
  return Object.fromEntries(given) as Record<string, string>;
}

function readBottle(bottle: Reader): BottleSpec {
  bottle.object(BOTTLE_KEYS);
  return {
    key: bottle.at('key').text(),
    user_id: bottle.at('user_id').text(),
    medication: bottle.at('medication').text(),
    time_zone: bottle.at('time_zone').text(),
    ...defined({
      label: bottle.optional('label', (field) => field.text()),
      number_of_pills: bottle.optional('number_of_pills', (field) => field.number()),
      schedule: bottle.optional('schedule', (field) => field.object()),
      plan_of: bottle.optional('plan_of', (field) => field.text()),
      gateway: bottle.optional('gateway', (field) => field.text()),
    }),
  };
}

function readEndpoint(endpoint: Reader): EndpointSpec {
  endpoint.object(['name', 'kinds', 'events']);
  const names = (field: Reader): string[] => field.list().map((each) => each.text());
  return {
    name: endpoint.at('name').text(),
    ...defined({ kinds: endpoint.optional('kinds', names), events: endpoint.optional('events', names) }),
  };
}

function readContact(contact: Reader): ContactSpec {
  const { user_id: _, ...body } = contact.object();
  return { user_id: contact.at('user_id').text(), body };
}

function readContent(says: Reader): ExpectedContent {
  says.object(['user', 'medication', 'recipient', 'doses', 'evidence', 'link', 'title', 'lines']);
  return defined({
    user: says.optional('user', (field) => field.text()),
    medication: says.optional('medication', (field) => field.text()),
    recipient: says.optional('recipient', (field) => field.text()),
    doses: says.optional('doses', (field) => field.list().map((dose) => dose.instant())),
    evidence: says.optional('evidence', (field) => field.object()),
    link: says.optional('link', (field) => field.oneOf(LINKS)),
    title: says.optional('title', (field) => field.text()),
    lines: says.optional('lines', (field) => field.list().map((line) => line.text())),
  });
}

function readTruth(expect: Reader, keys: string[]): Truth {
  expect.object(['messages', 'outcomes', 'all_outcomes', 'status', 'only', 'refused']);
  return {
    messages: expect
      .at('messages')
      .list()
      .map((message) => {
        message.object(['bottle', 'kind', 'event', 'channel', 'to', 'after', 'before', 'says']);
        return defined({
          bottle: message.optional('bottle', (field) => field.oneOf(keys)),
          kind: message.optional('kind', (field) => field.text()),
          event: message.optional('event', (field) => field.text()),
          channel: message.optional('channel', (field) => field.oneOf(RECEIVED)),
          to: message.optional('to', (field) => field.text()),
          after: message.optional('after', (field) => field.instant()),
          before: message.optional('before', (field) => field.instant()),
          says: message.optional('says', readContent),
        });
      }),
    outcomes: expect
      .at('outcomes')
      .list()
      .map((outcome) => {
        outcome.object(['bottle', 'scheduled_at', 'outcome', 'reported']);
        return {
          bottle: outcome.at('bottle').oneOf(keys),
          scheduled_at: outcome.at('scheduled_at').instant(),
          outcome: outcome.at('outcome').text(),
          ...defined({ reported: outcome.optional('reported', (field) => field.text()) }),
        };
      }),
    all_outcomes: expect.optional('all_outcomes', (field) => field.flag()) ?? false,
    status: expect
      .at('status')
      .list()
      .map((status) => {
        status.object(['bottle', 'status']);
        return { bottle: status.at('bottle').oneOf(keys), status: status.at('status').text() };
      }),
    only: expect.optional('only', (field) => field.flag()) ?? true,
    ...defined({ refused: expect.optional('refused', (field) => field.number()) }),
  };
}
