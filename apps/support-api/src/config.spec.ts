import { loadConfig } from '#platform';
import { SupportApiConfig } from './config.js';

const URI = 'mongodb://127.0.0.1/pillwatch';
const load = (env: Record<string, string>) => loadConfig(SupportApiConfig, { MONGODB_URI: URI, ...env });

describe('ADMIN_TOKEN', () => {
  it.each(['password', 'x'.repeat(31), `${'x'.repeat(32)} y`])('is refused if it is %j', (ADMIN_TOKEN) => {
    const message = 'ADMIN_TOKEN must be 32 to 512 letters, digits or . _ ~ + / = -';
    expect(() => load({ ADMIN_TOKEN })).toThrow(message);
    expect(() => load({ ADMIN_TOKEN })).not.toThrow(ADMIN_TOKEN);
  });

  it('has 32 characters or more', () =>
    expect(load({ ADMIN_TOKEN: 'x'.repeat(32) }).ADMIN_TOKEN).toHaveLength(32));
});
