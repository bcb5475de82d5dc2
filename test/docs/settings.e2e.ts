import { getMetadataStorage } from 'class-validator';
import { readFile } from 'node:fs/promises';
import { DeviceApiConfig } from '../../apps/device-api/src/config.js';
import { NotifierConfig } from '../../apps/notifier/src/config.js';
import { StandaloneConfig } from '../../apps/standalone/src/config.js';
import { WatchdogConfig } from '../../apps/watchdog/src/config.js';
import { SupportApiConfig } from '../../apps/support-api/src/config.js';

const CONFIGS = [DeviceApiConfig, NotifierConfig, SupportApiConfig, StandaloneConfig, WatchdogConfig];

function keysOf(config: (typeof CONFIGS)[number]): string[] {
  const metadata = getMetadataStorage().getTargetValidationMetadatas(config, '', false, false);
  return metadata.map(({ propertyName }) => propertyName);
}

describe('the settings', () => {
  const known = [...new Set(CONFIGS.flatMap(keysOf))].sort((one, other) => one.localeCompare(other));

  it('are all in the table of docs/settings.md, and nothing else is', async () => {
    const settings = await readFile('docs/settings.md', 'utf8');
    const table = [...settings.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name!);
    expect(table.sort((one, other) => one.localeCompare(other))).toEqual(known);
  });

  it('can all be given to the services of docker-compose.yml', async () => {
    const compose = await readFile('docker-compose.yml', 'utf8');
    const given = new Set([...compose.matchAll(/^\s+([A-Z_]+):/gm)].map(([, name]) => name!));
    const ofServices = known.filter((key) => !['DATA_DIR', 'MONGOD_BINARY'].includes(key));
    expect(ofServices.filter((key) => !given.has(key))).toEqual([]);
  });
});
