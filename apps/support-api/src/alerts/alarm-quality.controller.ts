import { Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { NoPatientData } from '../auth/audited.js';
import { StaffController } from '../auth/staff-controller.js';
import { GetTable } from '../http/list.js';
import { AlarmQualityDto, AlarmQualityQuery, AlarmQualityRowDto } from './alarm-quality.dto.js';
import { AlarmQualityService } from './alarm-quality.service.js';

@StaffController('v1/alarm-quality', 'alerts', 'viewer')
export class AlarmQualityController {
  constructor(private readonly quality: AlarmQualityService) {}

  @ApiOperation({
    summary: 'Returns what alerts were worth: messages per 1,000 bottle-days, and how many were not so',
    description:
      'Of the alerts that were raised in the range and of which a message was sent, by kind: how many were retracted, ' +
      'corrected, attested otherwise, closed as false, and acknowledged in time. CSV has a line for each group and kind.',
  })
  @GetTable(AlarmQualityDto, '', { row: AlarmQualityRowDto, rowsOf: ({ rows }) => rows })
  @NoPatientData()
  getAlarmQuality(@Query() query: AlarmQualityQuery): Promise<AlarmQualityDto> {
    return this.quality.get(query);
  }
}
