/** Baseline: device-api as it is, but that it believes every body whose fields it knows. */
import { loadConfig } from '#platform';
import { getMetadataStorage } from 'class-validator';
import { DeviceApiConfig } from '../../../apps/device-api/src/config.js';
import { createDeviceApi } from '../../../apps/device-api/src/device-api.app.js';

// the fields stay known, and nothing is asked of their values
getMetadataStorage().getTargetValidatorConstraints = () => [];

const config = loadConfig(DeviceApiConfig, { ...process.env, DEVICE_RATE_LIMIT: 'off' });
const app = await createDeviceApi(config);
await app.listen(Number(process.env['BASELINE_PORT']), '127.0.0.1');
process.on('SIGTERM', () => void app.close().then(() => process.exit(0)));
