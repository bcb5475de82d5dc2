import { IdField, TextField } from '#platform';

export class EventsQuery {
  @IdField({ optional: true, description: 'Everything of this bottle is wanted, its heartbeats too.' })
  bottle_id?: string;

  @TextField({
    optional: true,
    max: 1000,
    pattern: /^[0-9A-Fa-f]+$/,
    hint: 'must be the id of an event',
    description: 'The last event that was received: goes on behind it. As the header `Last-Event-ID`.',
  })
  last_event_id?: string;
}
