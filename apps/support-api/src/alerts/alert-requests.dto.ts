import { ALERT_KINDS, ALERT_STATES, type AlertKind, type AlertState } from '#persistence';
import { EnumField, IdField, InstantField, TextField } from '#platform';
import { PageQuery } from '../http/paging.js';

export class ListAlertsQuery extends PageQuery {
  @EnumField(ALERT_STATES, { optional: true })
  state?: AlertState;

  @EnumField(ALERT_KINDS, { optional: true })
  kind?: AlertKind;

  @IdField({ optional: true })
  bottle_id?: string;
}

export class SnoozeDto {
  @InstantField({ description: 'Nobody is told anything more before this; at most 7 days ahead.' })
  until: string;

  @TextField({ optional: true, max: 1000 })
  note?: string;
}

export class ResolveDto {
  @TextField({ optional: true, max: 1000, description: 'What was found.' })
  note?: string;
}

export class AcknowledgeDto {
  @TextField({ optional: true, max: 1000, description: 'What is being done about it.' })
  note?: string;
}
