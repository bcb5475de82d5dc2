import { eventually } from '../../tools/harness/eventually.js';
import type { ServiceProcess } from '../../tools/harness/service-process.js';

/** Waits until this notifier has looked for open bottles, and for messages, once more from the beginning. */
export async function anotherRun(notifier: ServiceProcess): Promise<void> {
  for (const job of ['check-open-bottles', 'escalate', 'deliver-webhook']) {
    const runs = `pillwatch_job_seconds_count{job="${job}"}`;
    const before = await notifier.metric(runs);
    await eventually(async () => expect(await notifier.metric(runs)).toBeGreaterThan(before + 1));
  }
}
