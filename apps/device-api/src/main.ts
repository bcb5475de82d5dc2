import { loadConfig, Primary, runProcess, startTracing } from '#platform';
import cluster from 'node:cluster';
import { setFlagsFromString } from 'node:v8';
import { DeviceApiConfig } from './config.js';
import { createDeviceApi } from './device-api.app.js';

// In an overload a report waits for a second, and is among V8's old objects when it is done with. V8 would let these grow
// to three times what is alive.
setFlagsFromString('--heap-growing-percent=30');

await runProcess(async () => {
  const config = loadConfig(DeviceApiConfig);
  if (cluster.isPrimary && config.DEVICE_API_WORKERS > 1)
    return [await Primary.start(config.DEVICE_API_WORKERS)];
  const tracing = await startTracing('device-api', config);
  const app = await createDeviceApi(config);
  await app.listen(config.DEVICE_API_PORT, config.LISTEN);
  return [tracing, app];
});
