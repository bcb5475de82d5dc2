import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { map, type Observable } from 'rxjs';

/** Stands for a content: 27 letters, digits, `-` and `_`. */
export function hashOfContent(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 27);
}

/** Adds an ETag made of the content. A client that already has this content gets 304 without a body. */
@Injectable()
export class EtagInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    return next.handle().pipe(
      map((response: unknown) => {
        // weak, because the response may be compressed; a resource with a version has sent its own
        if (!reply.hasHeader('etag')) void reply.header('etag', `W/"${hashOfContent(response)}"`);
        if (!matches(request.headers['if-none-match'], String(reply.getHeader('etag')))) return response;
        void reply.status(304);
        return undefined;
      }),
    );
  }
}

/** {@link EtagInterceptor} for one route. */
export const AnswersNotModified = (): MethodDecorator =>
  applyDecorators(
    UseInterceptors(EtagInterceptor),
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'ETags of earlier responses. If the response would be the same as one of them: 304.',
      schema: { type: 'string' },
    }),
    ApiResponse({ status: 304, description: 'The response would be one that the client has.' }),
  );

/** RFC 9110, 13.1.2: weak comparison, a list, or `*`. */
function matches(header: string | undefined, etag: string): boolean {
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
  const tags = (header ?? '').split(',').map(opaque);
  return tags.includes(opaque(etag)) || tags.includes('*');
}
