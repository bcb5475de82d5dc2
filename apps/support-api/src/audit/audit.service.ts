import { AuditRepository } from '#persistence';
import { Injectable } from '@nestjs/common';
import { Cursors } from '../http/cursor.js';
import { toObjectId } from '../http/object-id.js';
import { cutPage, DEFAULT_LIMIT, type Page } from '../http/paging.js';
import { type AuditEntryDto, type AuditQuery, auditView, readSubject } from './audit.dto.js';

const CURSORS = new Cursors('audit', { timed: true });

/** What has been done, for staff to see. */
@Injectable()
export class AuditService {
  constructor(private readonly entries: AuditRepository) {}

  async list({ subject, staff_id, cursor, limit = DEFAULT_LIMIT }: AuditQuery): Promise<Page<AuditEntryDto>> {
    const found = await this.entries.findPage({
      ...(subject === undefined ? {} : { subject: readSubject(subject) }),
      ...(staff_id === undefined ? {} : { actor_id: staff_id }),
      ...(cursor === undefined ? {} : { before: positionOf(cursor) }),
      limit: limit + 1,
    });
    return cutPage(found, limit, auditView, ({ _id, at }) =>
      CURSORS.encode({ id: _id.toHexString(), time: at }),
    );
  }
}

function positionOf(cursor: string): { time: Date; id: ReturnType<typeof toObjectId> } {
  const { time, id } = CURSORS.decode(cursor);
  return { time: time!, id: toObjectId(id, 'cursor') };
}
