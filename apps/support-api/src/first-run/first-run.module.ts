import { Get, HttpCode, Module, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { Audited, NoPatientData } from '../auth/audited.js';
import { StaffController } from '../auth/staff-controller.js';
import { FirstRunDto } from './first-run.dto.js';
import { CONFIRM_BACKUP, FirstRunService } from './first-run.service.js';

@StaffController('v1/first-run', 'settings', 'admin')
export class FirstRunController {
  constructor(private readonly service: FirstRunService) {}

  @ApiOperation({
    summary: 'Returns what a new service needs before patients depend on it, and what is done',
  })
  @Get()
  @NoPatientData()
  @ApiOkResponse({ type: FirstRunDto })
  getFirstRun(): Promise<FirstRunDto> {
    return this.service.get();
  }

  @ApiOperation({
    summary: 'Confirms that backups are made and that one was restored',
    description: 'The service cannot see this. Who has confirmed it is in the audit.',
  })
  @Post('backup')
  @HttpCode(204)
  @Audited(CONFIRM_BACKUP)
  confirmBackup(): void {}
}

/** The checklist of a new service. */
@Module({ controllers: [FirstRunController], providers: [FirstRunService] })
export class FirstRunModule {}
