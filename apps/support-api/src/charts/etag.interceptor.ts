import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { map, type Observable } from 'rxjs';

/** Names an answer by what it says, so that who has it already is told so and gets no body: 304. */
@Injectable()
export class EtagInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    return next.handle().pipe(
      map((answer: unknown) => {
        const hash = createHash('sha256').update(JSON.stringify(answer)).digest('base64url').slice(0, 27);
        const etag = `"${hash}"`;
        void reply.header('etag', etag).header('cache-control', 'private, no-cache');
        if (!names(request.headers['if-none-match'], etag)) return answer;
        void reply.status(304);
        return undefined;
      }),
    );
  }
}

/** RFC 9110, 13.1.2: weak comparison, a list, or `*`. */
function names(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
