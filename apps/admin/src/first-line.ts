import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** The first line of a stream, without its end; empty when there is none. */
export async function firstLine(input: Readable): Promise<string> {
  for await (const line of createInterface({ input })) return line;
  return '';
}
