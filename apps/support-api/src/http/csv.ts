import { weightIn } from '#platform';
import type { FastifyRequest } from 'fastify';

/** Whether a list is to be sent as CSV. */
export function wantsCsv({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): boolean {
  const { format } = query as { format?: unknown };
  if (format !== undefined) return format === 'csv';
  const csv = weightIn(headers.accept, 'text/csv');
  return csv > 0 && csv >= weightIn(headers.accept, 'application/json', 'application/*', '*/*');
}
