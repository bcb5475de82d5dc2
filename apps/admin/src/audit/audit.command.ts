import { AuditRepository } from '#persistence';
import type { DatabaseConfig } from '#platform';
import type { AuditRequest } from '../command-line.js';
import { withDatabase } from '../with-database.js';

/** The audit is not as it was written; the message says how much is wrong. */
export class AuditError extends Error {}

/**
 * Follows the chain of the audit, and names what was changed, removed or inserted.
 *
 * @throws AuditError when something was
 */
export async function verifyAudit(
  { kept }: AuditRequest,
  config: DatabaseConfig,
  say: (line: string) => void,
): Promise<void> {
  await withDatabase(config, async (app) => {
    let wrong = 0;
    const report = (sentence: string): void => {
      wrong += 1;
      say(sentence);
    };
    const last = await app.get(AuditRepository).verify(report, kept);
    if (wrong > 0) throw new AuditError(`The audit is not as it was written: ${wrong} found.`);
    say(last.seq === 0 ? 'The audit is empty.' : `The audit is intact. Last entry: ${last.seq}:${last.hash}`);
  });
}
