import { loadConfig, runProcess } from '#platform';
import { WatchdogConfig } from './config.js';
import { createWatchdog } from './watchdog.app.js';

await runProcess(async () => {
  const config = loadConfig(WatchdogConfig);
  const app = await createWatchdog(config);
  await app.listen(config.WATCHDOG_PORT, config.LISTEN);
  return [app];
});
