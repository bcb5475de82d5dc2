import type { FastifyRequest } from 'fastify';

/** Whether a list is to be sent as CSV. */
export function wantsCsv({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): boolean {
  const { format } = query as { format?: unknown };
  if (format !== undefined) return format === 'csv';
  return /(?:^|,)\s*text\/csv\b/.test(headers.accept ?? '');
}
