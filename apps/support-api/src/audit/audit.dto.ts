import { ACTOR_KINDS, type AuditEntry, type Subject, SUBJECT_KINDS } from '#persistence';
import { IdField, TextField } from '#platform';
import { ApiProperty } from '@nestjs/swagger';
import { Id, Json, Text, Time, Word } from '../http/shown.js';
import { PageQuery } from '../http/paging.js';

const SUBJECT = new RegExp(`^(?:${SUBJECT_KINDS.join('|')}):.+$`);

export class AuditQuery extends PageQuery {
  @TextField({
    optional: true,
    max: 250,
    pattern: SUBJECT,
    hint: `must be ${SUBJECT_KINDS.join(', ')}, a colon and an id`,
    description: 'What was done to this, or to something of it: an alert of a bottle.',
    example: 'bottle:6b01570aaa98db17dc6c142f',
  })
  subject?: string;

  @IdField({ optional: true, description: 'What this account or API key did.' })
  staff_id?: string;
}

export class ActorDto {
  @Word(ACTOR_KINDS)
  kind: string;

  @Text()
  id: string;

  @Text({ description: 'As it was then.' })
  name: string;
}

export class SubjectDto {
  @Word(SUBJECT_KINDS)
  kind: string;

  @Text()
  id: string;
}

export class AuditEntryDto {
  @Id()
  id: string;

  @Time()
  at: Date;

  @ApiProperty()
  who: ActorDto;

  @Text({ description: 'Such as alert.acknowledge.' })
  action: string;

  @ApiProperty()
  subject: SubjectDto;

  @Json({ description: 'fields: the names of what was sent; and values that are harmless.' })
  details: object;
}

/** {@link AuditEntryDto} as CSV. */
export const AUDIT_COLUMNS = [
  'id',
  'at',
  'who.kind',
  'who.id',
  'who.name',
  'action',
  'subject.kind',
  'subject.id',
  'details',
];

export function auditView({ _id, at, who, action, subject, details }: AuditEntry): AuditEntryDto {
  return { id: _id.toHexString(), at, who, action, subject, details };
}

/** Reads what {@link AuditQuery.subject} has let through. */
export function readSubject(text: string): Subject {
  const [kind, ...id] = text.split(':');
  return { kind: kind as Subject['kind'], id: id.join(':') };
}
