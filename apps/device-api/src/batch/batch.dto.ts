import { InstantField } from '#platform';
import type { Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';
import { ActionDto } from '../actions/action.dto.js';
import { HeartbeatDto } from '../heartbeats/heartbeat.dto.js';

export const MAX_BATCH_ITEMS = 500;

/** The documented form of an item: a report, its `type`, and `more` that every item has. */
export function describeItems(...more: Type[]): { oneOf: { allOf: object[] }[] } {
  const item = (report: Type, type: string): { allOf: object[] } => ({
    allOf: [
      ...[report, ...more].map((part) => ({ $ref: getSchemaPath(part) })),
      { type: 'object', properties: { type: { enum: [type] } }, required: ['type'] },
    ],
  });
  return { oneOf: [item(HeartbeatDto, 'heartbeat'), item(ActionDto, 'action')] };
}

/** A bottle's backlog. Each item is checked and stored on its own: a bad one does not stop the others. */
@ApiExtraModels(HeartbeatDto, ActionDto)
export class BatchDto {
  @InstantField({
    optional: true,
    description: "The device's clock at the moment of sending; corrects every item.",
  })
  sent_at?: string;

  @ApiProperty({
    description: 'Each a heartbeat or an action with `type` "heartbeat" or "action".',
    type: 'array',
    minItems: 1,
    maxItems: MAX_BATCH_ITEMS,
    items: describeItems(),
  })
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_BATCH_ITEMS)
  @IsArray()
  items: unknown[];
}

/** What became of one item: the answer that the same report would have got alone. */
export class BatchItemResultDto {
  @ApiProperty({
    description: '201 stored, 200 stored before, 204 heartbeat stored, 4xx refused, 503 try again.',
  })
  status: number;

  @ApiProperty({ required: false, description: "An action's id in the log." })
  id?: string;

  @ApiProperty({ required: false, description: 'Why it was refused.' })
  code?: string;

  @ApiProperty({ required: false, description: 'The field that was wrong.' })
  field?: string;

  @ApiProperty({ required: false })
  detail?: string;
}

export class BatchResultDto {
  @ApiProperty({ type: [BatchItemResultDto], description: 'In the order of the items.' })
  results: BatchItemResultDto[];
}
