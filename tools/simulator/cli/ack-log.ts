import { createWriteStream, openSync, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { AcknowledgedReport } from '../../harness/bottle/report.js';

/** A file with a JSON line for each report that device-api has answered for; a run adds to what is there. */
export class AckLog {
  private readonly stream: WriteStream;

  /** @throws when the file cannot be opened. */
  constructor(file: string) {
    this.stream = createWriteStream(file, { fd: openSync(file, 'a') });
  }

  add(report: AcknowledgedReport): void {
    this.stream.write(`${JSON.stringify(report)}\n`);
  }

  /** Writes what is left. @throws when the file could not be written. */
  async close(): Promise<void> {
    this.stream.end();
    await finished(this.stream);
  }
}
