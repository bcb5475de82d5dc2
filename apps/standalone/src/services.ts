import { loadConfig, startEmbeddedDatabase, startTracing } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createConnection } from 'mongoose';
import { type AddressInfo, isIPv6 } from 'node:net';
import { DeviceApiConfig } from '../../device-api/src/config.js';
import { createDeviceApi } from '../../device-api/src/device-api.app.js';
import { NotifierConfig } from '../../notifier/src/config.js';
import { createNotifier } from '../../notifier/src/notifier.app.js';
import { SupportApiConfig } from '../../support-api/src/config.js';
import { createSupportApi } from '../../support-api/src/support-api.app.js';
import { StandaloneConfig } from './config.js';
import { type ConsoleLogin, consoleLogin } from './console-login.js';
import { forgetSecrets, type KeptSecret, keptSecret } from './kept-secret.js';

/** Addresses at which a browser on this machine reaches a service as `localhost`. */
const HERE = new Set(['127.0.0.1', '::1', '0.0.0.0', '::']);

/** Everything that runs, and where it is reached. */
export interface Services {
  deviceApi: string;
  supportApi: string;
  notifier: string;
  /** Without a file if it is ADMIN_TOKEN of the environment. */
  adminKey: KeptSecret | { value: string; file?: undefined };
  /** Opens `/metrics` and `/docs`; undefined if OPERATIONS_KEY of the environment says how they open. */
  operationsKey: KeptSecret | undefined;
  /** How to sign in to the console, if it is an account that we made. */
  login: ConsoleLogin | undefined;
  /** SECOND_FACTOR */
  secondFactor: SupportApiConfig['SECOND_FACTOR'];
  close(): Promise<void>;
}

/**
 * Starts the database, unless MONGODB_URI names one, and the three services in this process.
 *
 * @param options.emptied begins with an empty database, if it is one that we start; one that MONGODB_URI names
 *   is never emptied.
 */
export async function startServices(
  env: NodeJS.ProcessEnv,
  options: { logs: boolean; say: (line: string) => void; emptied?: boolean },
): Promise<Services> {
  const config = loadConfig(StandaloneConfig, env);
  const database = config.MONGODB_URI === undefined ? await startDatabase(config, options.say) : undefined;
  if (database && options.emptied) {
    await emptyDatabase(database.uri);
    await forgetSecrets(config.DATA_DIR);
  }
  const given = config.ADMIN_TOKEN;
  const adminKey = given === undefined ? await keptSecret(config.DATA_DIR, 'admin-token') : { value: given };
  const operationsKey =
    env['OPERATIONS_KEY'] === undefined ? await keptSecret(config.DATA_DIR, 'operations-key') : undefined;
  const all = {
    LINK_SECRET: (await keptSecret(config.DATA_DIR, 'link-secret')).value,
    PUSH_KEY: (await keptSecret(config.DATA_DIR, 'push-key')).value,
    SECOND_FACTOR_KEY: (await keptSecret(config.DATA_DIR, 'second-factor-key')).value,
    ...(operationsKey && { OPERATIONS_KEY: operationsKey.value }),
    // the account that consoleLogin makes would end it before its first use
    KEEP_ADMIN_TOKEN: 'true',
    ...env,
    MONGODB_URI: database?.uri ?? config.MONGODB_URI,
    ADMIN_TOKEN: adminKey.value,
  };
  const started: { close(): Promise<void> }[] = database ? [{ close: () => database.stop() }] : [];
  const close = async (): Promise<void> => {
    for (const part of started.toReversed()) await part.close();
  };
  const listen = async (app: NestFastifyApplication, port: number, address: string): Promise<string> => {
    started.push(app);
    await app.listen(port, address);
    const host = HERE.has(address) ? 'localhost' : isIPv6(address) ? `[${address}]` : address;
    return `http://${host}:${(app.getHttpServer().address() as AddressInfo).port}`;
  };
  const { logs } = options;
  try {
    const settings = {
      device: loadConfig(DeviceApiConfig, all),
      support: loadConfig(SupportApiConfig, all),
    };
    started.push(await startTracing('pillwatch', settings.device));
    const deviceApi = await listen(
      await createDeviceApi(settings.device, { logs }),
      settings.device.DEVICE_API_PORT,
      settings.device.LISTEN,
    );
    const support = await createSupportApi(settings.support, { logs });
    const { SUPPORT_API_PORT, LISTEN } = settings.support;
    const supportApi = await listen(support, SUPPORT_API_PORT, LISTEN);
    // its port is known from here on
    settings.support.PUBLIC_URL ??= supportApi;
    const login = await consoleLogin(support, config.DATA_DIR);
    const notifying = loadConfig(NotifierConfig, { PUBLIC_URL: supportApi, ...all });
    const notifier = await listen(await createNotifier(notifying, { logs }), notifying.NOTIFIER_PORT, LISTEN);
    const secondFactor = settings.support.SECOND_FACTOR;
    return { deviceApi, supportApi, notifier, adminKey, operationsKey, login, secondFactor, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function emptyDatabase(uri: string): Promise<void> {
  const connection = await createConnection(uri).asPromise();
  await connection.dropDatabase();
  await connection.close();
}

async function startDatabase(
  config: StandaloneConfig,
  say: (line: string) => void,
): ReturnType<typeof startEmbeddedDatabase> {
  return startEmbeddedDatabase({
    dataDir: config.DATA_DIR,
    log: say,
    ...(config.MONGOD_BINARY === undefined ? {} : { binary: config.MONGOD_BINARY }),
  });
}
