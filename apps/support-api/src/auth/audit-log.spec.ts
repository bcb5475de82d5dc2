import type { AuditRepository } from '#persistence';
import { ManualClock } from '#platform';
import { Logger } from '@nestjs/common';
import { AuditLog } from './audit-log.js';

it('says in the log how many reads could not be kept while the database does not answer', async () => {
  const lines: string[] = [];
  Logger.overrideLogger({ log: () => undefined, warn: () => undefined, error: (line) => lines.push(line) });
  const unanswered = { append: () => new Promise<void>(() => undefined) } as unknown as AuditRepository;
  const log = new AuditLog(unanswered, new ManualClock(new Date('2026-03-01T12:00:00Z')));
  const actor = { kind: 'staff' as const, id: 'x', name: 'x' };
  // 20,000 wait to be written, and as many to wait for that
  for (let count = 0; count < 45_000; count += 1)
    log.note('read', actor, { action: 'bottle.read', subject: { kind: 'bottle', id: String(count) } });
  await log.flush();
  await log.flush();
  expect(lines).toEqual([expect.stringMatching(/^\d+ reads and refusals are not in the audit/)]);
});
