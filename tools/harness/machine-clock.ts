import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The machine's clock of a service process, which the test can set wrong. */
export class MachineClock {
  private constructor(private readonly folder: string) {}

  static async create(): Promise<MachineClock> {
    const clock = new MachineClock(await mkdtemp(join(tmpdir(), 'pillwatch-clock-')));
    await clock.setOff(0);
    return clock;
  }

  /** For the process's environment. */
  get env(): Record<string, string> {
    return {
      PILLWATCH_TEST_CLOCK: this.file,
      NODE_OPTIONS: `--import ${pathToFileURL('tools/harness/skewed-clock.mjs').href}`,
    };
  }

  /** Lets it jump: from now on it is ahead of the right time by so many milliseconds. */
  async setOff(milliseconds: number): Promise<void> {
    await writeFile(this.file, String(milliseconds));
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true });
  }

  private get file(): string {
    return join(this.folder, 'ahead-ms');
  }
}
