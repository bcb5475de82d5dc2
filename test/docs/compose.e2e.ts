import { loadConfig } from '#platform';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeviceApiConfig } from '../../apps/device-api/src/config.js';
import { NotifierConfig } from '../../apps/notifier/src/config.js';
import { SupportApiConfig } from '../../apps/support-api/src/config.js';
import { blocksOf } from './blocks.js';

const SERVICES = [
  ['device-api', DeviceApiConfig],
  ['support-api', SupportApiConfig],
  ['notifier', NotifierConfig],
] as const;

const COMPOSE = readFileSync('docker-compose.yml', 'utf8');
const BLOCK = blocksOf('docs/operations.md').find(({ text }) => text.includes('> .env'))!.text;
const COMMAND = BLOCK.slice(0, BLOCK.indexOf('docker compose'));

/** What the command of docs/operations.md writes. */
function written(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'pillwatch-compose-'));
  try {
    execFileSync('sh', ['-ec', COMMAND], { cwd: folder });
    const lines = readFileSync(join(folder, '.env'), 'utf8').trim().split('\n');
    return Object.fromEntries(lines.map((line) => line.split('=') as [string, string]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The settings that compose gives a service whose `.env` is this: the shared ones, and its own. */
function settingsOf(service: string, env: Record<string, string>): Record<string, string> {
  const shared = /^x-settings: .*\n((?: {2}\S.*\n)+)/m.exec(COMPOSE)![1]!;
  const own = new RegExp(`^  ${service}:\\n[^]*?\\n    environment:\\n((?: {6}\\S.*\\n)+)`, 'm').exec(
    COMPOSE,
  )![1]!;
  const lines = [...`${shared}${own}`.matchAll(/^ +([A-Z_]+): ?(.*)$/gm)];
  return Object.fromEntries(
    lines.flatMap(([, name, value]) => {
      const given = value === '' ? env[name!] : valueOf(value!, env);
      return given === undefined ? [] : [[name!, given]];
    }),
  );
}

/** With the variables of `.env` in it, as Compose puts them: `${NAME:-default}`, `${NAME:?why}`. */
function valueOf(value: string, env: Record<string, string>): string {
  return value
    .replace(/^&\w+ /, '')
    .replaceAll(/\$\{([A-Z_]+):\?[^}]*\}/g, (_, name: string) => env[name]!)
    .replaceAll(/\$\{([A-Z_]+):-([^}]*)\}/g, (_, name: string, byDefault: string) => env[name] ?? byDefault);
}

describe('the command that makes the keys for Docker Compose', () => {
  const env = written();

  it('stands in docker-compose.yml as in docs/operations.md', () => {
    const [head] = /^(?:#.*\n)+/.exec(COMPOSE)!;
    expect(head.replaceAll(/^#(?: {3})?/gm, '')).toContain(BLOCK);
  });

  it('makes every variable that docker-compose.yml cannot do without', () => {
    const required = [...COMPOSE.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name]) => name!);
    expect(required).toContain('MONGO_KEY');
    expect(required.filter((name) => !env[name])).toEqual([]);
  });

  it('makes every key that npm start makes for itself', () => {
    const keys = [
      ...readFileSync('docs/settings.md', 'utf8').matchAll(/^\| `(\w+)` .*`npm start` creates one/gm),
    ];
    expect(keys.length).toBeGreaterThan(3);
    expect(keys.map(([, name]) => name!).filter((name) => !env[name])).toEqual([]);
  });

  it.each(SERVICES)('lets %s start, with each key that it reads', (service, type) => {
    const settings = settingsOf(service, env);
    expect(settings['MONGODB_URI']).toContain(env['MONGO_PASSWORD']);
    expect(() => loadConfig<object>(type, settings)).not.toThrow();
    const read = Object.keys(env).filter((name) =>
      readFileSync(`apps/${service}/src/config.ts`, 'utf8').includes(`  ${name}?:`),
    );
    expect(read.filter((name) => settings[name] !== env[name])).toEqual([]);
  });
});
