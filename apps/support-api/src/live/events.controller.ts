import { IdField, TextField } from '#platform';
import { Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Identities } from '../auth/identities.js';
import { NoPatientData } from '../auth/audited.js';
import { StaffController } from '../auth/staff-controller.js';
import { Caller, type Staff } from '../auth/staff.js';
import { LiveService } from './live.service.js';

export class EventsQuery {
  @IdField({ optional: true, description: 'Also report every change of this bottle, including heartbeats.' })
  bottle_id?: string;

  @TextField({
    optional: true,
    max: 1000,
    pattern: /^[0-9A-Fa-f]+$/,
    hint: 'must be the id of an event',
    description: 'The last event received: resume after it. Same as the header `Last-Event-ID`.',
  })
  last_event_id?: string;
}

@StaffController('v1/events', 'events', 'viewer')
export class EventsController {
  constructor(
    private readonly live: LiveService,
    private readonly identities: Identities,
  ) {}

  @ApiOperation({
    summary:
      'Streams changes as server-sent events: `bottle`, `alert`, `delivery`, `contact` and `fleet` say what to read again, `reset` means everything, `alive` arrives every 15 s',
    description: 'A client that reconnects with the id of the last event, to any process, resumes after it.',
  })
  @Get()
  @NoPatientData()
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ schema: { type: 'string' } })
  async followEvents(
    @Caller() staff: Staff,
    @Query() query: EventsQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    void reply.type('text/event-stream').header('cache-control', 'no-store, no-transform');
    void reply.header('x-accel-buffering', 'no');
    // a HEAD response has no body to stream
    if (request.method === 'HEAD') return void reply.send();
    const page = await this.live.connect(
      {
        bottleId: query.bottle_id,
        lastEventId: (query.last_event_id ?? lastEventId(request))?.toUpperCase(),
      },
      { id: staff.session?.id ?? staff.id, authorize: () => this.identities.of(request) },
    );
    // the client may have disconnected meanwhile
    if (request.raw.socket.destroyed) page.destroy();
    else void reply.send(page);
  }
}

/** No event has it: whoever sends it reads everything again. */
const UNKNOWN = '0';

/** What a browser sends when it reconnects by itself. What cannot be an id is answered like one that is too old. */
function lastEventId({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id'];
  if (id === undefined) return undefined;
  return typeof id === 'string' && /^[0-9A-Fa-f]{1,1000}$/.test(id) ? id : UNKNOWN;
}
