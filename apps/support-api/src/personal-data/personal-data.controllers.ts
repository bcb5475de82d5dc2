import { Delete, Get, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { Readable } from 'node:stream';
import { Audited, AuditsItself, NoPatientData } from '../auth/audited.js';
import { Roles, StaffController } from '../auth/staff-controller.js';
import { Caller, type Staff } from '../auth/staff.js';
import { IdParam } from '../http/ids.js';
import { ErasureReceiptDto, ErasureService } from './erasure.service.js';
import { ExportService } from './export.service.js';

@StaffController('v1/bottles/:id', 'bottles', 'viewer')
export class ErasureController {
  constructor(private readonly erasure: ErasureService) {}

  @ApiOperation({ summary: 'Erases a bottle with all its data and returns a receipt' })
  @Delete()
  @AuditsItself()
  @Roles('admin')
  @ApiOkResponse({ type: ErasureReceiptDto })
  erase(@IdParam() id: Types.ObjectId, @Caller() caller: Staff): Promise<ErasureReceiptDto> {
    return this.erasure.erase(id, caller);
  }

  @ApiOperation({ summary: 'Returns the receipt of an erased bottle' })
  @Get('erasure')
  @NoPatientData()
  @ApiOkResponse({ type: ErasureReceiptDto })
  receipt(@IdParam() id: Types.ObjectId): Promise<ErasureReceiptDto> {
    return this.erasure.receipt(id);
  }
}

@StaffController('v1/bottles/:id', 'bottles', 'viewer')
export class ExportController {
  constructor(private readonly exports: ExportService) {}

  @ApiOperation({
    summary:
      'Exports everything that is stored about a bottle as one JSON file: registry, state, complete history',
    description: 'The file is streamed; if the export is interrupted, the file is not valid JSON.',
  })
  @Get('export')
  @Audited({ action: 'bottle.export', kind: 'bottle', export: true })
  @Roles('support')
  @ApiProduces('application/json')
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: true } })
  async export(@IdParam() id: Types.ObjectId): Promise<StreamableFile> {
    return new StreamableFile(Readable.from(await this.exports.of(id)), {
      type: 'application/json; charset=utf-8',
      disposition: `attachment; filename="bottle-${id.toHexString()}.json"`,
    });
  }
}
