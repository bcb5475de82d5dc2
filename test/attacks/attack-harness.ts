import type { ManualClock } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { AddressInfo } from 'node:net';
import { emptyDatabase, type TestDatabase } from '../../tools/harness/database.js';
import { asAdmin, registerBottle, startDeviceApi, startSupportApi } from '../../tools/harness/services.js';

/** The limits of production, which tests have switched off. */
export const LIMITS = { WRONG_TOKEN_LIMIT: '60/m', DEVICE_RATE_LIMIT: '600/m', STAFF_RATE_LIMIT: '6000/m' };

/** Both services on ports, and one database, as `npm start` has them. */
export class AttackHarness {
  private constructor(
    readonly database: TestDatabase,
    readonly device: NestFastifyApplication,
    readonly support: NestFastifyApplication,
  ) {}

  static async start(
    name: string,
    env: Record<string, string> = {},
    clock?: ManualClock,
    logs = false,
  ): Promise<AttackHarness> {
    const database = await emptyDatabase(name);
    const settings = { ...LIMITS, ...env };
    const device = await startDeviceApi(database.uri, clock, settings, { logs });
    const support = await startSupportApi(database.uri, clock, settings, { logs });
    for (const app of [device, support]) await app.listen(0, '127.0.0.1');
    return new AttackHarness(database, device, support);
  }

  async stop(): Promise<void> {
    await Promise.all([this.device.close(), this.support.close()]);
    await this.database.drop();
  }

  port(service: 'device' | 'support'): number {
    return (this[service].getHttpServer().address() as AddressInfo).port;
  }

  url(service: 'device' | 'support'): string {
    return `http://127.0.0.1:${this.port(service)}`;
  }

  /** The token of a new bottle. */
  async bottle(): Promise<string> {
    return (await registerBottle(this.support, this.device)).token;
  }

  /** A new key of this role. */
  async key(role: string): Promise<string> {
    const { body } = await asAdmin(this.support)
      .post('/v1/api-keys')
      .send({ name: `a ${role}`, role });
    return (body as { key: string }).key;
  }
}

/** A token that nobody has, of an API key or of a bottle. @param n another for each */
export const wrongToken = (prefix: 'pwk' | 'pwb', n: number): string =>
  `${prefix}_${String(n).padStart(43, 'A')}`;
