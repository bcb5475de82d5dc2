import { MINUTE_MS } from '#domain';
import { ServiceConfig } from './service.config.js';
import { ConfigError, loadConfig } from './load-config.js';
import {
  CronSetting,
  DurationSetting,
  FlagSetting,
  IntegerSetting,
  OptionalText,
  PortSetting,
} from './settings.js';

const URI = 'mongodb://user:s3cret@127.0.0.1/pillwatch';

class TestConfig {
  @PortSetting()
  PORT = 3000;

  @IntegerSetting(1, 64)
  WORKERS = 1;

  @DurationSetting()
  AFTER = 5 * MINUTE_MS;

  @CronSetting()
  CRON = '* * * * *';

  @FlagSetting()
  FLAG = false;

  @OptionalText()
  TEXT?: string;
}

function problemsOf(env: Record<string, string>, type: new () => object = TestConfig): string {
  try {
    loadConfig(type, env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error('nothing was refused');
}

it('has a default for everything', () =>
  expect(loadConfig(TestConfig, {})).toEqual({
    PORT: 3000,
    WORKERS: 1,
    AFTER: 5 * MINUTE_MS,
    CRON: '* * * * *',
    FLAG: false,
  }));

it('takes an empty string for not set, as compose files write it', () =>
  expect(loadConfig(TestConfig, { PORT: '', AFTER: '', FLAG: '', TEXT: '' })).toEqual(
    loadConfig(TestConfig, {}),
  ));

it.each([
  ['500ms', 500],
  ['30s', 30_000],
  ['5m', 5 * MINUTE_MS],
  ['60m', 60 * MINUTE_MS],
  ['12h', 720 * MINUTE_MS],
  ['14d', 14 * 1440 * MINUTE_MS],
])('reads the duration %s', (AFTER, milliseconds) =>
  expect(loadConfig(TestConfig, { AFTER }).AFTER).toBe(milliseconds),
);

it.each(['* * * * *', '*/5 * * * *', '0 7 * * 1-5', '*/10 * * * * *'])(
  'takes the cron expression %s',
  (CRON) => expect(loadConfig(TestConfig, { CRON }).CRON).toBe(CRON),
);

it.each<[keyof TestConfig, string, unknown]>([
  ['PORT', '0', 0],
  ['PORT', '65535', 65_535],
  ['WORKERS', '64', 64],
  ['FLAG', 'true', true],
  ['FLAG', 'false', false],
  ['TEXT', 'words', 'words'],
])('reads %s=%s', (key, text, value) => expect(loadConfig(TestConfig, { [key]: text })[key]).toBe(value));

describe.each<[keyof TestConfig, string[]]>([
  ['AFTER', ['0m', '-5m', '5', '5 minutes', '1.5h', '5M', 'PT5M', 'NaN', '5w']],
  ['CRON', ['hourly-ish', '0 0 30 2 *', '* * *', '61 * * * *', '* * * * * * *']],
  ['PORT', ['-1', '65536', '3000.5', 'http', '0x', '3000x']],
  ['WORKERS', ['0', '65', 'many']],
  ['FLAG', ['yes', '1', 'TRUE']],
])('a wrong %s', (key, values) => {
  it.each(values)('%s stops the start, which names the key and never the value', (value) => {
    const message = problemsOf({ [key]: value });
    expect(message).toContain(key);
    // short values may be part of any sentence; the environment's own words may not
    if (value.length > 3) expect(message).not.toContain(value);
    expect(message).not.toMatch(new RegExp(`=\\s*["']?${value.replace(/[*+.]/g, '\\$&')}`));
  });
});

it('names every wrong key at once, and none that is right', () => {
  const message = problemsOf({ PORT: 'http', AFTER: 'soon', FLAG: 'true' });
  expect(message).toMatch(/PORT/);
  expect(message).toMatch(/AFTER/);
  expect(message).not.toMatch(/FLAG|CRON|WORKERS/);
});

describe('the settings that services share', () => {
  it('are the lab’s unless set', () =>
    expect(loadConfig(ServiceConfig, { MONGODB_URI: URI })).toMatchObject({
      MONGODB_URI: URI,
      HEARTBEAT_RETENTION: 14 * 1440 * MINUTE_MS,
      SILENT_BOTTLE_AFTER: 60 * MINUTE_MS,
      OPEN_BOTTLE_AFTER: 5 * MINUTE_MS,
    }));

  it.each([undefined, '', 'http://s3cret@host', 's3cret'])('want a database, not %s', (uri) => {
    const message = problemsOf(uri === undefined ? {} : { MONGODB_URI: uri }, ServiceConfig);
    expect(message).toContain('MONGODB_URI');
    expect(message).not.toContain('s3cret');
  });

  it('keep secrets even when another key is wrong', () => {
    const message = problemsOf({ MONGODB_URI: URI, OPEN_BOTTLE_AFTER: 's3cret' }, ServiceConfig);
    expect(message).toContain('OPEN_BOTTLE_AFTER');
    expect(message).not.toContain('s3cret');
  });
});
