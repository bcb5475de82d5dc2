import { loadConfig, runProcess } from '#platform';
import { NotifierConfig } from './config.js';
import { createNotifier } from './notifier.app.js';

await runProcess(async () => {
  const config = loadConfig(NotifierConfig);
  const app = await createNotifier(config);
  await app.listen(config.NOTIFIER_PORT, config.LISTEN);
  return [app];
});
