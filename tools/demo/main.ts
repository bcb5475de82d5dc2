import { backlogGrace } from '#domain';
import { runProcess } from '#platform';
import ms from 'ms';
import { startServices } from '../../apps/standalone/src/services.js';
import { addresses } from '../../apps/standalone/src/welcome.js';
import { type ReceivedMessage, WebhookReceiver } from '../harness/webhook-receiver.js';
import { runDemoFleet } from './demo-fleet.js';

/** Short, so that every kind of alert can be seen within two minutes. */
const THRESHOLDS = { SILENT_BOTTLE_AFTER: '20s', OPEN_BOTTLE_AFTER: '10s' } as const;
const EVERY_SECOND = '* * * * * *';
const SETTINGS = {
  ...THRESHOLDS,
  CHECK_OPEN_BOTTLES_CRON: EVERY_SECOND,
  CHECK_SILENT_BOTTLES_CRON: EVERY_SECOND,
  CHECK_DOSES_CRON: EVERY_SECOND,
  DEVICE_RATE_LIMIT: 'off',
  // to look around at once; the welcome says so
  SECOND_FACTOR: 'off',
};

const began = performance.now();
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const log = (line: string): void =>
  say(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${line}`);

function announce({ data }: ReceivedMessage, isRepeat: boolean): void {
  if (!isRepeat)
    log(`>>> ${data.kind} ${data.event}: ${data.user_id}'s ${data.medication} (delivered by webhook)`);
}

await runProcess(async () => {
  const receiver = await WebhookReceiver.start({ onMessage: announce });
  const webhook = { WEBHOOK_URL: receiver.url, WEBHOOK_ALLOW_PRIVATE: 'true' };
  const services = await startServices(
    { DATA_DIR: '.data/demo', ...process.env, ...SETTINGS, ...webhook },
    { logs: false, say, emptied: true },
  );
  say(addresses(services));
  const end = new AbortController();
  const fleet = runDemoFleet({
    target: services.deviceApi,
    support: services.supportApi,
    adminToken: services.adminKey.value,
    thresholds: {
      silentAfterMs: ms(THRESHOLDS.SILENT_BOTTLE_AFTER),
      openAfterMs: ms(THRESHOLDS.OPEN_BOTTLE_AFTER),
      backlogGraceMs: backlogGrace(ms(THRESHOLDS.SILENT_BOTTLE_AFTER)),
    },
    log,
    signal: end.signal,
  });
  fleet.catch((error: unknown) => log(`the fleet stopped: ${String(error)}`));
  return [
    { close: () => receiver.stop() },
    services,
    {
      close: async () => {
        end.abort();
        await fleet.catch(() => undefined);
      },
    },
  ];
});
