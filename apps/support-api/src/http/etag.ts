import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { map, type Observable } from 'rxjs';

/** Adds an ETag made of the content. A client that already has this content gets 304 without a body. */
@Injectable()
export class EtagInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    return next.handle().pipe(
      map((response: unknown) => {
        const hash = createHash('sha256').update(JSON.stringify(response)).digest('base64url').slice(0, 27);
        const etag = `"${hash}"`;
        // weak, because the response may be compressed
        void reply.header('etag', `W/${etag}`);
        if (!matches(request.headers['if-none-match'], etag)) return response;
        void reply.status(304);
        return undefined;
      }),
    );
  }
}

/** RFC 9110, 13.1.2: weak comparison, a list, or `*`. */
function matches(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
