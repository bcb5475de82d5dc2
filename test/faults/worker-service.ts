import type { ServiceProcess } from '../../tools/harness/service-process.js';
import { FaultHarness } from './fault-harness.js';
import { Load } from './load.js';

export const WORKERS = 2;
export const CLIENTS = 40;
/** Of each client: 40 send some 400 reports a second. */
const PAUSE_MS = 100;

/** A device-api of several processes, and bottles that report to it. */
export class WorkerService {
  private constructor(
    readonly harness: FaultHarness,
    readonly device: ServiceProcess,
    readonly tokens: string[],
  ) {}

  static startHarness(): Promise<FaultHarness> {
    return FaultHarness.start({ DEVICE_API_WORKERS: String(WORKERS) });
  }

  /** @param harness from {@link startHarness} */
  static async start(harness: FaultHarness): Promise<WorkerService> {
    const support = await harness.run('support-api');
    const device = await harness.run('device-api');
    const bottles = await harness.register(support, CLIENTS);
    return new WorkerService(
      harness,
      device,
      bottles.map(({ token }) => token),
    );
  }

  /** Reports of all bottles that leave the machine to what is waited for. */
  load(): Load {
    return new Load(this.device.url, this.tokens, PAUSE_MS);
  }

  /** How many heartbeats are stored. */
  stored(): Promise<number> {
    return this.harness.db.collection('bottle_heartbeats').countDocuments();
  }
}
