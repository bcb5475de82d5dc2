import { isTracing, startSpan } from '#platform';
import type { PendingReport } from './report.js';

/** Writes a group; each request of it that is traced gets a span of the write. */
export async function traceGroup(group: readonly PendingReport[], write: () => Promise<void>): Promise<void> {
  if (!isTracing()) return write();
  const attributes = { 'pillwatch.reports': group.length };
  const requests = new Set(group.flatMap(({ incoming }) => incoming.request.span ?? []));
  const spans = [...requests].map((parent) => startSpan('group commit', { parent, attributes }));
  try {
    await write();
  } finally {
    for (const span of spans) span?.end();
  }
}
