import { isTracing, startSpan } from '#platform';
import type { ReceivedReport } from './report.js';

/** Writes a group; each request of it that is traced gets a span of the write. */
export async function traceGroup<T>(group: readonly ReceivedReport[], write: () => Promise<T>): Promise<T> {
  if (!isTracing()) return write();
  const attributes = { 'pillwatch.reports': group.length };
  const requests = new Set(group.flatMap(({ incoming }) => incoming.request.span ?? []));
  const spans = [...requests].map((parent) => startSpan('group commit', { parent, attributes }));
  try {
    return await write();
  } finally {
    for (const span of spans) span?.end();
  }
}
