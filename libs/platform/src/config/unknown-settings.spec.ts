import { jest } from '@jest/globals';
import { SETTING_NAMES } from './setting-names.js';
import { unknownSettings, warnOfUnknownSettings } from './unknown-settings.js';

const SECRET = 'never-shown-anywhere';
const nearestOf = (name: string): (string | undefined)[] =>
  unknownSettings({ [name]: SECRET }).map(({ nearest }) => nearest);

it.each([
  ['OPEN_BOTLE_AFTER', 'OPEN_BOTTLE_AFTER'],
  ['OPEN_AFTER', 'OPEN_BOTTLE_AFTER'],
  ['BOTTLE_SILENT_AFTER', 'SILENT_BOTTLE_AFTER'],
  ['open_bottle_after', 'OPEN_BOTTLE_AFTER'],
  ['PILLWATCH_MONGODB_URI', 'MONGODB_URI'],
  ['PILLWATCH_SILENT_BOTTLE_AFTER', 'SILENT_BOTTLE_AFTER'],
  ['MONGO_URI', 'MONGODB_URI'],
  ['DEVICE_RATE_LIMITS', 'DEVICE_RATE_LIMIT'],
  ['DOSES_CRON', 'CHECK_DOSES_CRON'],
  ['WEBHOOK_URLS', 'WEBHOOK_URL'],
  ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
  ['ADMIN_TOKENS', 'ADMIN_TOKEN'],
  ['SECOND_FACTOR_KEYS', 'SECOND_FACTOR_KEY'],
  ['SMPT_URL', 'SMTP_URL'],
  ['MAIL_FORM', 'MAIL_FROM'],
  ['PILLWATCH_XYZ', undefined],
])('%s is unknown; the nearest is %s', (name, nearest) => expect(nearestOf(name)).toEqual([nearest]));

it('takes every setting of every service, and an empty one', () => {
  expect(unknownSettings(Object.fromEntries(SETTING_NAMES.map((name) => [name, 'x'])))).toEqual([]);
  expect(unknownSettings({ OPEN_BOTLE_AFTER: '' })).toEqual([]);
});

it('says nothing of what others read', () => {
  const names = [
    'PATH HOME USER LANG LC_ALL TZ TERM SHELL PWD SHLVL LOGNAME HOSTNAME EDITOR DISPLAY LS_COLORS',
    'NODE_ENV NODE_OPTIONS NODE_VERSION NODE_EXTRA_CA_CERTS YARN_VERSION UV_THREADPOOL_SIZE COLOR INIT_CWD',
    'npm_config_cache npm_lifecycle_event npm_package_name npm_execpath HTTP_PROXY HTTPS_PROXY NO_PROXY',
    'OTEL_SERVICE_NAME OTEL_EXPORTER_OTLP_TRACES_ENDPOINT OTEL_BSP_SCHEDULE_DELAY OTEL_TRACES_SAMPLER',
    'LISTEN_FDS LISTEN_PID INVOCATION_ID JOURNAL_STREAM STATE_DIRECTORY SYSTEMD_EXEC_PID NOTIFY_SOCKET',
    'KUBERNETES_SERVICE_HOST KUBERNETES_PORT HEALTH_PORT MONGO_PASSWORD MONGO_KEY COMPOSE_PROJECT_NAME',
    'SSH_AUTH_SOCK XDG_RUNTIME_DIR XDG_CACHE_HOME CI GITHUB_TOKEN GITHUB_ACTIONS CHROMIUM DATABASE_URL PORT',
  ].flatMap((line) => line.split(' '));
  expect(unknownSettings(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
});

it('says nothing of the variables that Kubernetes sets for a Service', () => {
  const env = {
    PILLWATCH_WATCHDOG_SERVICE_HOST: '10.0.0.7',
    PILLWATCH_WATCHDOG_SERVICE_PORT: '3003',
    PILLWATCH_WATCHDOG_PORT: 'tcp://10.0.0.7:3003',
    PILLWATCH_WATCHDOG_PORT_3003_TCP_ADDR: '10.0.0.7',
    PILLWATCH_WATCHDOGS: 'x',
  };
  expect(unknownSettings(env).map(({ name }) => name)).toEqual(['PILLWATCH_WATCHDOGS']);
});

it('logs a line for each, and never a value', () => {
  const stdout = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    warnOfUnknownSettings({ OPEN_BOTLE_AFTER: SECRET, PILLWATCH_XYZ: SECRET, OPEN_BOTTLE_AFTER: '5m' });
    const lines = stdout.mock.calls.map(([line]) => String(line));
    expect(lines.join('')).not.toContain(SECRET);
    expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
      'there is no setting OPEN_BOTLE_AFTER, so it has no effect: did you mean OPEN_BOTTLE_AFTER?',
      'there is no setting PILLWATCH_XYZ, so it has no effect: docs/settings.md lists them all',
    ]);
  } finally {
    stdout.mockRestore();
  }
});
