import { Get, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { StaffController } from '../auth/staff-controller.js';
import { AlsoCsv } from '../http/csv.js';
import { type Page, PageOf } from '../http/paging.js';
import { AUDIT_COLUMNS, AuditEntryDto, AuditQuery } from './audit.dto.js';
import { AuditService } from './audit.service.js';

@StaffController('v1/audit', 'audit', 'support')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  /** Who did what, newest first. */
  @Get()
  @AlsoCsv(AUDIT_COLUMNS)
  @ApiOkResponse({ type: PageOf(AuditEntryDto) })
  list(@Query() query: AuditQuery): Promise<Page<AuditEntryDto>> {
    return this.audit.list(query);
  }
}
