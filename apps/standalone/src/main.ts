import { runProcess } from '#platform';
import { startServices } from './services.js';
import { addresses } from './welcome.js';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

await runProcess(async () => {
  const services = await startServices(process.env, { logs: true, say });
  say(addresses(services));
  return [services];
});
