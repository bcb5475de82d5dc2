import { Get, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { Readable } from 'node:stream';
import { Audited } from '../audit/audited.js';
import { Roles } from '../auth/roles.js';
import { StaffController } from '../auth/staff-controller.js';
import { IdParam } from '../http/object-id.js';
import { ExportService } from './export.service.js';

@StaffController('v1/bottles/:id', 'bottles', 'viewer')
export class ExportController {
  constructor(private readonly exports: ExportService) {}

  /**
   * Everything that is stored of a bottle, as one JSON file: the registry, its state, its whole history. It is sent
   * as it is read. A file that was cut short is no JSON.
   */
  @Get('export')
  @Audited({ action: 'bottle.export', kind: 'bottle' })
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
