import { loadConfig, runProcess } from '#platform';
import { DeviceApiConfig } from './config.js';
import { createDeviceApi } from './device-api.app.js';

await runProcess(async () => {
  const config = loadConfig(DeviceApiConfig);
  const app = await createDeviceApi(config);
  await app.listen(config.DEVICE_API_PORT, '0.0.0.0');
  return [app];
});
