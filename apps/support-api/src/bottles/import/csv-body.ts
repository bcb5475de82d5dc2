import { Problem } from '#platform';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

const PATH = '/v1/bottles/import';
const MAX_BYTES = 1024 * 1024;

/** One route takes CSV; nothing else does. */
export function acceptCsv(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addContentTypeParser(
    'text/csv',
    { parseAs: 'string', bodyLimit: MAX_BYTES },
    async (request: FastifyRequest, body: string) => {
      if (request.url === PATH) return body;
      throw new Problem(415, 'unsupported_media_type', 'Send JSON, with content-type: application/json.');
    },
  );
}

/** The body as it was sent. A decorator of our own, because the validation pipe would look for a DTO. */
export const CsvBody = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const { body } = context.switchToHttp().getRequest<FastifyRequest>();
  if (typeof body === 'string') return body;
  throw new Problem(400, 'invalid_csv', 'Send the bottles as CSV, with content-type: text/csv.');
});
