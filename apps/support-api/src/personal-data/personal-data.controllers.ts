import { Delete, Get, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { Readable } from 'node:stream';
import { Audited, AuditsItself, NoPatientData } from '../auth/audited.js';
import { Sensitive } from '../auth/sensitive.js';
import { Roles, StaffController } from '../auth/staff-controller.js';
import { Caller, type Staff } from '../auth/staff.js';
import { IdParam, UserIdParam } from '../http/ids.js';
import { ErasureReceiptDto, ErasureService } from './erasure.service.js';
import { ExportService } from './export.service.js';
import { PeopleService, PersonErasureDto } from './people.service.js';

@StaffController('v1/bottles/:id', 'bottles', 'viewer')
export class ErasureController {
  constructor(private readonly erasure: ErasureService) {}

  @ApiOperation({
    summary: 'Erases a bottle with all its data and returns a receipt',
    description: 'One that shares a plan leaves it first (409 `shares_plan`, `leads_plan`).',
  })
  @Delete()
  @Sensitive('data')
  @AuditsItself()
  @Roles('admin')
  @ApiOkResponse({ type: ErasureReceiptDto })
  eraseBottle(@IdParam() id: Types.ObjectId, @Caller() caller: Staff): Promise<ErasureReceiptDto> {
    return this.erasure.eraseAlone(id, caller);
  }

  @ApiOperation({ summary: 'Returns the receipt of an erased bottle' })
  @Get('erasure')
  @NoPatientData()
  @ApiOkResponse({ type: ErasureReceiptDto })
  getBottleErasure(@IdParam() id: Types.ObjectId): Promise<ErasureReceiptDto> {
    return this.erasure.receipt(id);
  }
}

@StaffController('v1/bottles/:id', 'bottles', 'viewer')
export class ExportController {
  constructor(private readonly exports: ExportService) {}

  @ApiOperation({
    summary:
      'Exports everything that is stored about a bottle as one JSON file: registry, state, complete history',
    description:
      "Of a bottle that has changed hands, its present owner's part. The file is streamed; if the export is " +
      'interrupted, the file is not valid JSON.',
  })
  @Get('export')
  @Sensitive('data')
  @Audited({ action: 'bottle.export', kind: 'bottle', export: true })
  @Roles('support')
  @ApiProduces('application/json')
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: true } })
  async exportBottle(@IdParam() id: Types.ObjectId): Promise<StreamableFile> {
    return new StreamableFile(Readable.from(await this.exports.ofBottle(id)), {
      type: 'application/json; charset=utf-8',
      disposition: `attachment; filename="bottle-${id.toHexString()}.json"`,
    });
  }
}

@StaffController('v1/people/:user_id', 'people', 'viewer')
export class PeopleController {
  constructor(
    private readonly people: PeopleService,
    private readonly exports: ExportService,
  ) {}

  @ApiOperation({
    summary: 'Erases a person and returns a receipt',
    description:
      "All their bottles, their part of bottles that are somebody else's now, their contact and their carers. In what remains, the audit, there is a pseudonym.",
  })
  @Delete()
  @Sensitive('data')
  @AuditsItself()
  @Roles('admin')
  @ApiOkResponse({ type: PersonErasureDto })
  erasePerson(@UserIdParam() userId: string, @Caller() caller: Staff): Promise<PersonErasureDto> {
    return this.people.erase(userId, caller);
  }

  @ApiOperation({
    summary: 'Returns the receipt of an erased person',
  })
  @Get('erasure')
  @NoPatientData()
  @ApiOkResponse({ type: PersonErasureDto })
  getPersonsErasure(@UserIdParam() userId: string): Promise<PersonErasureDto> {
    return this.people.receipt(userId);
  }

  @ApiOperation({
    summary: 'Exports everything that is stored about a person as one JSON file',
    description:
      "The contact, the bottles with their history, and this person's part of bottles that have changed hands.",
  })
  @Get('export')
  @Sensitive('data')
  @Audited({ action: 'person.export', kind: 'contact', export: true })
  @Roles('support')
  @ApiProduces('application/json')
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: true } })
  async exportPerson(@UserIdParam() userId: string): Promise<StreamableFile> {
    return new StreamableFile(Readable.from(await this.exports.ofPerson(userId)), {
      type: 'application/json; charset=utf-8',
      disposition: 'attachment; filename="person.json"',
    });
  }
}
