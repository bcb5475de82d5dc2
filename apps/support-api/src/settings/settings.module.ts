import { Get, Module } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { NoPatientData } from '../auth/audited.js';
import { StaffController } from '../auth/staff-controller.js';
import { SettingsDto } from './settings.dto.js';
import { SettingsService } from './settings.service.js';

@StaffController('v1/settings', 'settings', 'support')
export class SettingsController {
  constructor(private readonly settings: SettingsService) {}

  @ApiOperation({ summary: 'Returns thresholds, how the channels of notifications fare, and versions' })
  @Get()
  @NoPatientData()
  @ApiOkResponse({ type: SettingsDto })
  getSettings(): Promise<SettingsDto> {
    return this.settings.get();
  }
}

/** What the service is set to; it is changed in the environment. */
@Module({ controllers: [SettingsController], providers: [SettingsService] })
export class SettingsModule {}
