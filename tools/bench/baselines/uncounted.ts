/** Baseline: device-api that counts nothing for the charts. Started like the others, by MONGODB_URI and BASELINE_PORT. */
import { loadConfig, runProcess } from '#platform';
import { DeviceApiConfig } from '../../../apps/device-api/src/config.js';
import { createDeviceApi } from '../../../apps/device-api/src/device-api.app.js';

await runProcess(async () => {
  const config = loadConfig(DeviceApiConfig, { ...process.env, DEVICE_RATE_LIMIT: 'off' });
  const app = await createDeviceApi(config, { counting: false });
  await app.listen(Number(process.env['BASELINE_PORT']), '0.0.0.0');
  return [app];
});
