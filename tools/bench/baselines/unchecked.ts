/** Baseline: device-api as it is, but that it believes every body. */
import { loadConfig, RequestValidationPipe } from '#platform';
import { DeviceApiConfig } from '../../../apps/device-api/src/config.js';
import { createDeviceApi } from '../../../apps/device-api/src/device-api.app.js';

// a heartbeat without a body has none to be believed: the load's have one
RequestValidationPipe.prototype.transform = (value: unknown) => Promise.resolve(value);

const config = loadConfig(DeviceApiConfig, { ...process.env, DEVICE_RATE_LIMIT: 'off' });
const app = await createDeviceApi(config);
await app.listen(Number(process.env['BASELINE_PORT']), '127.0.0.1');
process.on('SIGTERM', () => void app.close().then(() => process.exit(0)));
