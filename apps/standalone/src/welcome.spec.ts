import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keptSecret } from './kept-secret.js';
import { addresses } from './welcome.js';

const SERVICES = {
  deviceApi: 'http://localhost:3000',
  supportApi: 'http://localhost:3001',
  notifier: 'http://localhost:3002',
  secondFactor: 'admin',
  operationsKey: undefined,
  close: async () => undefined,
} as const;

it('prints a secret when it is made, and later only its file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pillwatch-welcome-'));
  try {
    const greet = async () => {
      const [adminKey, password] = [
        await keptSecret(folder, 'admin-token'),
        await keptSecret(folder, 'console-password'),
      ];
      const text = addresses({ ...SERVICES, adminKey, login: { email: 'admin@localhost', password } });
      return { text, secrets: [adminKey, password] };
    };
    const [first, second] = [await greet(), await greet()];
    for (const { value, file } of second.secrets) {
      expect(first.text).toContain(value);
      expect(first.text).toContain(file);
      expect(second.text).not.toContain(value);
      expect(second.text).toContain(file);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
