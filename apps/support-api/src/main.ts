import { loadConfig, runProcess, startTracing } from '#platform';
import { SupportApiConfig } from './config.js';
import { createSupportApi } from './support-api.app.js';

await runProcess(async () => {
  const config = loadConfig(SupportApiConfig);
  const tracing = await startTracing('support-api', config);
  const app = await createSupportApi(config);
  await app.listen(config.SUPPORT_API_PORT, config.LISTEN);
  return [tracing, app];
});
