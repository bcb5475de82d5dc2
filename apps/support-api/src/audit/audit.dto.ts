import { ACTOR_KINDS, AUDIT_CATEGORIES, type AuditCategory, SUBJECT_KINDS } from '#persistence';
import { EnumField, IdField, InstantField, JsonField, ObjectField, TextField } from '#platform';
import { PageQuery } from '../http/paging.js';

export class AuditQuery extends PageQuery {
  @TextField({
    optional: true,
    max: 250,
    pattern: new RegExp(`^(?:${SUBJECT_KINDS.join('|')}):.+$`),
    hint: `must be ${SUBJECT_KINDS.join(', ')}, a colon and an id`,
    description: 'Actions on this subject or on something that belongs to it, such as an alert of a bottle.',
    example: 'bottle:6b01570aaa98db17dc6c142f',
  })
  subject?: string;

  @IdField({ optional: true, description: 'Actions of this account or API key.' })
  staff_id?: string;

  @EnumField(AUDIT_CATEGORIES, {
    optional: true,
    description: 'Only changes, only reads and exports, or only refusals.',
  })
  category?: AuditCategory;

  @InstantField({
    example: '2026-03-01T00:00:00Z',
    optional: true,
    description: 'Done at this time or later.',
  })
  from?: string;

  @InstantField({ example: '2026-03-08T00:00:00Z', optional: true, description: 'Done before this time.' })
  to?: string;
}

export class AuditHeadDto {
  @TextField({ nullable: true, description: 'Its place and hash, `8412:Zk3...`; null if there is none.' })
  head: string | null;
}

export class ActorDto {
  @EnumField(ACTOR_KINDS)
  kind: string;

  @TextField()
  id: string;

  @TextField({ description: 'The name at that time.' })
  name: string;

  @TextField({ optional: true, description: "The client's IP address." })
  address?: string;
}

export class SubjectDto {
  @EnumField(SUBJECT_KINDS)
  kind: string;

  @TextField()
  id: string;

  @TextField({ optional: true, description: 'Of a bottle or an alert that is still there: whose it is.' })
  user_id?: string;

  @TextField({
    optional: true,
    description: 'The name of this user, or of an account, as it is now.',
  })
  name?: string;

  @TextField({ optional: true, description: 'Of a bottle or an alert.' })
  medication?: string;

  @TextField({ optional: true, description: 'Of a bottle or an alert: the label of the bottle.' })
  label?: string;

  @TextField({ optional: true, description: 'Of an alert.' })
  alert_kind?: string;
}

export class AuditEntryDto {
  @IdField()
  id: string;

  @InstantField()
  at: Date;

  @EnumField(AUDIT_CATEGORIES, { description: '`change`: also signing in; `read`: also exports.' })
  category: AuditCategory;

  @ObjectField(() => ActorDto)
  who: ActorDto;

  @TextField({ description: 'Such as alert.acknowledge.' })
  action: string;

  @ObjectField(() => SubjectDto)
  subject: SubjectDto;

  @JsonField({
    optional: true,
    description: '`fields`: the names of the fields that were sent; and harmless values.',
  })
  details?: object;
}
