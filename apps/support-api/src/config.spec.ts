import { loadConfig } from '#platform';
import { SupportApiConfig } from './config.js';

const URI = 'mongodb://127.0.0.1/pillwatch';
const KEY = 'k'.repeat(32);
const load = (env: Record<string, string>) =>
  loadConfig(SupportApiConfig, { MONGODB_URI: URI, SECOND_FACTOR_KEY: KEY, ...env });

describe('ADMIN_TOKEN', () => {
  it.each(['password', 'x'.repeat(31), `${'x'.repeat(32)} y`])('is refused if it is %j', (ADMIN_TOKEN) => {
    const message = 'ADMIN_TOKEN must be 32 to 512 letters, digits or . _ ~ + / = -';
    expect(() => load({ ADMIN_TOKEN })).toThrow(message);
    expect(() => load({ ADMIN_TOKEN })).not.toThrow(ADMIN_TOKEN);
  });

  it('has 32 characters or more', () =>
    expect(load({ ADMIN_TOKEN: 'x'.repeat(32) }).ADMIN_TOKEN).toHaveLength(32));
});

describe('SECOND_FACTOR', () => {
  it('is required of admins unless it is set', () => expect(load({}).SECOND_FACTOR).toBe('admin'));

  it.each([{ SECOND_FACTOR_KEY: '' }, { SECOND_FACTOR_KEY: 'short' }])('needs a key: %j', (env) => {
    expect(() => load(env)).toThrow('SECOND_FACTOR_KEY must have at least 32 characters');
    expect(load({ ...env, SECOND_FACTOR: 'off' }).SECOND_FACTOR).toBe('off');
  });

  it('is a role or off', () =>
    expect(() => load({ SECOND_FACTOR: 'boss' })).toThrow('SECOND_FACTOR must be'));
});
