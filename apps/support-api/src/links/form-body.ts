import { Problem } from '#platform';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

/** The pages behind the links in messages. */
export const LINKS = /^\/[avs]\//;

/** What gateways for SMS post. */
const GATEWAYS = /^\/sms\//;

/** A long SMS, each letter as %XX%XX. */
const MAX_BYTES = 16 * 1024;

/** The fields of a page's form. */
export type Form = Readonly<Record<string, string>>;

/**
 * Accepts the forms of the pages behind links and those of gateways for SMS, and no others. A mail program may post as it
 * likes (RFC 8058).
 */
export function acceptLinkForms(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  const accept = (type: string, read: (body: string) => Form): void => {
    fastify.addContentTypeParser(
      type,
      { parseAs: 'string', bodyLimit: MAX_BYTES },
      async (request: FastifyRequest, body: string) => {
        if (LINKS.test(request.url) || GATEWAYS.test(request.url)) return read(body);
        throw new Problem(415, 'unsupported_media_type', 'Send JSON, with content-type: application/json.');
      },
    );
  };
  accept('application/x-www-form-urlencoded', (body) => Object.fromEntries(new URLSearchParams(body)));
  accept('multipart/form-data', () => ({}));
}

/** The form's fields. A decorator of our own, because the validation pipe would look for a DTO. */
export const FormBody = createParamDecorator((_: unknown, context: ExecutionContext): Form =>
  fieldsIn(context.switchToHttp().getRequest<FastifyRequest>().body),
);

/** The texts of a body without the blanks around them: whoever posts JSON to a page may send anything. */
export function fieldsIn(body: unknown): Form {
  const fields = Object.entries(body ?? {}) as [string, unknown][];
  return Object.fromEntries(
    fields.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value.trim()]] : [])),
  );
}
