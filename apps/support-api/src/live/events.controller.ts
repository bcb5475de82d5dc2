import { Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Identities } from '../auth/identities.js';
import { StaffController } from '../auth/staff-controller.js';
import { EventsQuery } from './events-query.dto.js';
import { LiveService } from './live.service.js';

@StaffController('v1/events', 'events', 'viewer')
export class EventsController {
  constructor(
    private readonly live: LiveService,
    private readonly identities: Identities,
  ) {}

  /**
   * What changes, as server-sent events: `bottle`, `alert`, `delivery` and `fleet` name what to read again, `reset`
   * means everything, `alive` comes every 15 s. Whoever comes back with the last event's id, to any process, is told
   * what came after it, and nothing else twice.
   */
  @Get()
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ schema: { type: 'string' } })
  async follow(
    @Query() query: EventsQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    void reply.type('text/event-stream').header('cache-control', 'no-store, no-transform');
    void reply.header('x-accel-buffering', 'no');
    // nobody would read it
    if (request.method === 'HEAD') return void reply.send();
    const page = await this.live.connect(
      {
        bottleId: query.bottle_id?.toLowerCase(),
        lastEventId: (query.last_event_id ?? lastEventId(request))?.toUpperCase(),
      },
      () => this.identities.of(request),
    );
    // it may have gone while it waited
    if (request.raw.socket.destroyed) page.destroy();
    else void reply.send(page);
  }
}

/** What a browser sends when it comes back by itself. */
function lastEventId({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id'];
  return typeof id === 'string' && /^[0-9A-Fa-f]{1,1000}$/.test(id) ? id : undefined;
}
