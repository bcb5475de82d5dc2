import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Problem } from './problem.js';
import { answerProblem } from './problem.filter.js';

/** Answers 405 with `Allow` when an address has routes for other methods only. */
@Injectable()
export class AllowedMethods implements OnApplicationBootstrap {
  private readonly byUrl = new Map<string, Set<string>>();
  private fastify: FastifyInstance | undefined;

  /** Notes the routes that are added from now on. */
  watch(fastify: FastifyInstance): void {
    this.fastify = fastify;
    fastify.addHook('onRoute', ({ url, method }) => {
      // not for the console's `/*`: an address without a route has no methods at all
      if (url.includes('*')) return;
      const methods = this.byUrl.get(url) ?? new Set();
      for (const each of [method].flat()) methods.add(each);
      this.byUrl.set(url, methods);
    });
  }

  /** All controllers have their routes now. */
  onApplicationBootstrap(): void {
    const { supportedMethods } = this.fastify!;
    for (const [url, methods] of this.byUrl) {
      const others = supportedMethods.filter((method) => !methods.has(method));
      const allow = [...methods].join(', ');
      this.fastify!.route({
        url,
        method: others,
        exposeHeadRoute: false,
        // before the body is read
        onRequest: (request, reply) => {
          void reply.header('allow', allow);
          const detail = `This address takes ${allow}, and not ${request.method}.`;
          answerProblem(new Problem(405, 'method_not_allowed', detail), reply);
        },
        handler: () => undefined,
      });
    }
  }
}
