import { AuditRepository, type Subject } from '#persistence';
import { Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { Audited, NoPatientData } from '../auth/audited.js';
import { Roles, StaffController } from '../auth/staff-controller.js';
import { GetList } from '../http/list.js';
import { type ByTime, Cursors, type Page, readPage } from '../http/paging.js';
import { boundsOf } from '../http/time-range.js';
import { viewsOf } from '../http/view.js';
import { NamedSubjectsService } from './named-subjects.service.js';
import { AuditEntryDto, AuditHeadDto, AuditQuery } from './audit.dto.js';

const CURSORS = new Cursors<ByTime>('audit', { timed: true });

@StaffController('v1/audit', 'audit', 'support')
export class AuditController {
  constructor(
    private readonly entries: AuditRepository,
    private readonly subjects: NamedSubjectsService,
  ) {}

  @ApiOperation({
    summary: 'Returns the last entry, to be kept elsewhere',
    description:
      '`npm run admin -- audit verify --kept PLACE:HASH` finds whether entries were cut or changed since.',
  })
  @Get('head')
  @Roles('viewer')
  @NoPatientData()
  @ApiOkResponse({ type: AuditHeadDto })
  async head(): Promise<AuditHeadDto> {
    const head = await this.entries.readHead();
    return { head: head ? `${head.seq}:${head.hash}` : null };
  }

  @ApiOperation({ summary: 'Lists who did what, newest first' })
  @GetList(AuditEntryDto)
  @Audited({ action: 'audit.list', kind: 'list', id: 'audit', keep: ['category', 'staff_id', 'from', 'to'] })
  listAuditEntries(
    @Query() { subject, staff_id, category, ...query }: AuditQuery,
  ): Promise<Page<AuditEntryDto>> {
    return readPage(query, {
      cursors: CURSORS,
      find: (before, limit) =>
        this.entries.findPage({
          subject: readSubject(subject),
          actor_id: staff_id,
          category,
          ...boundsOf(query),
          before,
          limit,
        }),
      positionOf: ({ _id, at }) => ({ id: _id, time: at }),
      show: async (entries) => viewsOf(AuditEntryDto)(await this.subjects.name(entries)),
    });
  }
}

/** Reads what the pattern of {@link AuditQuery.subject} has admitted. */
function readSubject(text: string | undefined): Subject | undefined {
  if (text === undefined) return undefined;
  const [kind, ...id] = text.split(':');
  return { kind: kind as Subject['kind'], id: id.join(':') };
}
