import { ALERT_KINDS, type AlertKind } from '#domain';
import { ALERT_STATES, type AlertState } from '#persistence';
import { EnumField, IdField, InstantField, TextField } from '#platform';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsMongoId } from 'class-validator';
import { PageQuery } from '../http/paging.js';

/** A page of a list at most: what somebody can have chosen on it. */
const MAX_AT_ONCE = 200;

export const ALERT_ORDERS = ['needs_person', 'comes_back'] as const;
export type AlertOrder = (typeof ALERT_ORDERS)[number];

export class ListAlertsQuery extends PageQuery {
  @EnumField(ALERT_STATES, { optional: true })
  state?: AlertState;

  @EnumField(ALERT_KINDS, { optional: true })
  kind?: AlertKind;

  @IdField({ optional: true })
  bottle_id?: string;

  @EnumField(ALERT_ORDERS, {
    optional: true,
    description:
      'Newest first unless given. needs_person: those that are open and not put off, the most urgent kind first and ' +
      'of a kind who has waited longest. comes_back: those that are put off, of a kind who comes back soonest. ' +
      'Either goes with kind, and not with state and bottle_id.',
  })
  order?: AlertOrder;
}

export class AcknowledgeDto {
  @TextField({ optional: true, max: 1000, description: 'What is being done about it.' })
  note?: string;
}

/** For who has looked at the alert before: nothing is undone that somebody else has done meanwhile. */
class SeenDto {
  @EnumField(['open', 'acknowledged'], {
    optional: true,
    description: 'The state in which it was seen. When it is another by now, the answer is 409.',
  })
  seen_state?: 'open' | 'acknowledged';
}

export class SnoozeDto extends SeenDto {
  @InstantField({ description: 'Nobody is told anything more before this; at most 7 days ahead.' })
  until: string;

  @TextField({ optional: true, max: 1000 })
  note?: string;
}

export class ResolveDto extends SeenDto {
  @TextField({ optional: true, max: 1000, description: 'What was found.' })
  note?: string;
}

export class DecideDto {
  @TextField({ optional: true, max: 1000, description: 'How that is known.' })
  note?: string;
}

function IdsField(): PropertyDecorator {
  return (target, key) => {
    ApiProperty({ type: [String], minItems: 1, maxItems: MAX_AT_ONCE, description: 'The alerts.' })(
      target,
      key,
    );
    for (const check of [IsMongoId({ each: true }), ArrayMinSize(1), ArrayMaxSize(MAX_AT_ONCE), IsArray()])
      check(target, key);
  };
}

export class AcknowledgeManyDto extends AcknowledgeDto {
  @IdsField()
  ids: string[];
}

export class SnoozeManyDto extends SnoozeDto {
  @IdsField()
  ids: string[];
}

export class ResolveManyDto extends ResolveDto {
  @IdsField()
  ids: string[];
}
