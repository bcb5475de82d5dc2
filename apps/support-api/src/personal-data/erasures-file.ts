import { PeopleRepository } from '#persistence';
import { ConfigError } from '#platform';
import { Injectable } from '@nestjs/common';
import { appendFile, readFile } from 'node:fs/promises';
import { SupportApiConfig } from '../config.js';

/** An erasure, as a line of the file: of a bottle, or of a person by pseudonym, with the key of the pseudonyms. */
export type ErasureLine = { erased_at: Date } & ({ bottle: string } | { person: string; key: string });

/**
 * The list of erasures outside the database (ERASURES_FILE): a backup of the database does not contain later erasures.
 * Lines are only appended.
 */
@Injectable()
export class ErasuresFile {
  constructor(
    private readonly people: PeopleRepository,
    private readonly config: SupportApiConfig,
  ) {}

  async append(
    line: { bottle: string; erased_at: Date } | { person: string; erased_at: Date },
  ): Promise<void> {
    const path = this.config.ERASURES_FILE;
    if (path === undefined) return;
    const full = 'person' in line ? { ...line, key: await this.people.readKey() } : line;
    // its owner alone may read it: with the key, user ids can be tried
    await appendFile(path, `${JSON.stringify(full)}\n`, { mode: 0o600, flush: true });
  }

  /**
   * Makes sure at the start that erasures can be listed: at the first one it would be too late.
   *
   * @throws ConfigError
   */
  async assertAppendable(): Promise<void> {
    const path = this.config.ERASURES_FILE;
    if (path === undefined) return;
    await appendFile(path, '', { mode: 0o600, flush: true }).catch((error: NodeJS.ErrnoException) => {
      throw new ConfigError([
        `ERASURES_FILE cannot be written (${error.code}): it needs a folder that lasts`,
      ]);
    });
  }

  /** Every erasure, oldest first; none without a file. @throws SyntaxError naming the line */
  async read(): Promise<ErasureLine[]> {
    const path = this.config.ERASURES_FILE;
    if (path === undefined) return [];
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    return text.split('\n').flatMap((line, index) => (line === '' ? [] : [lineOf(line, index + 1)]));
  }
}

function lineOf(text: string, number: number): ErasureLine {
  try {
    const { erased_at, ...line } = JSON.parse(text) as { erased_at: string } & Record<string, string>;
    const time = new Date(erased_at);
    if (Number.isNaN(time.getTime())) throw new SyntaxError('erased_at');
    return { ...line, erased_at: time } as ErasureLine;
  } catch {
    throw new SyntaxError(`line ${number} of ERASURES_FILE cannot be read`);
  }
}
