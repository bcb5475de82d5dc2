import { runProcess } from '#platform';
import { startServices } from '../../apps/standalone/src/services.js';
import { addresses } from '../../apps/standalone/src/welcome.js';

/** The services of `npm run dev`; the argument is the address of the console's development server. */
const [consoleAddress] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

await runProcess(async () => {
  const services = await startServices({ SECOND_FACTOR: 'off', ...process.env }, { logs: true, say });
  say(addresses(services, consoleAddress));
  return [services];
});
