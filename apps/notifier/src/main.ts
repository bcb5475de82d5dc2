import { loadConfig, runProcess, startTracing } from '#platform';
import { NotifierConfig } from './config.js';
import { createNotifier } from './notifier.app.js';

await runProcess(async () => {
  const config = loadConfig(NotifierConfig);
  const tracing = await startTracing('notifier', config);
  const app = await createNotifier(config);
  await app.listen(config.NOTIFIER_PORT, config.LISTEN);
  return [tracing, app];
});
