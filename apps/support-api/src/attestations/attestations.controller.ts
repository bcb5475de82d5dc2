import type { AttestationEntry } from '#persistence';
import { Problem } from '#platform';
import { Body, Post, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { Audited } from '../auth/audited.js';
import { Caller, type Staff } from '../auth/staff.js';
import { Roles, StaffController } from '../auth/staff-controller.js';
import { HistoryQuery } from '../history/history.dto.js';
import { Creates } from '../http/creates.js';
import { AttestationIdParam, IdParam } from '../http/ids.js';
import { GetList } from '../http/list.js';
import type { Page } from '../http/paging.js';
import { AttestationDto, AttestDto, AttestNoDoseDto, WithdrawDto } from './attestation.dto.js';
import { AttestationsService } from './attestations.service.js';

@StaffController('v1/bottles/:id/attestations', 'doses', 'viewer')
@Audited({ action: 'bottle.read', kind: 'bottle' })
export class AttestationsController {
  constructor(private readonly attestations: AttestationsService) {}

  @ApiOperation({
    summary: 'Records what a person says about a dose',
    description:
      'It stands beside what the bottle measured and changes nothing of it. Of several statements about a dose, the ' +
      'latest counts; all are kept.',
  })
  @Post()
  @Audited({ action: 'dose.attest', kind: 'bottle', keep: ['scheduled_at', 'kind', 'attested_by'] })
  @Roles('support')
  @Creates(AttestationDto)
  async attestDose(
    @IdParam() id: Types.ObjectId,
    @Caller() { name }: Staff,
    @Body() { scheduled_at, taken_at, attested_by = 'staff', note, ...statement }: AttestDto,
  ): Promise<AttestationDto> {
    if (statement.kind === 'skipped' && statement.reason === undefined)
      throw Problem.field('reason', 'missing_field', 'reason is required with the kind "skipped"');
    const stated = { ...statement, ...(taken_at !== undefined && { taken_at: new Date(taken_at) }) };
    const by = { attested_by, recorded_by: name, ...(note !== undefined && { note }) };
    return this.shown(id, await this.attestations.attest(id, new Date(scheduled_at), stated, by));
  }

  @ApiOperation({
    summary:
      'Records that pills which were removed were no dose: somebody else opened the bottle, for example',
    description:
      'It changes nothing of what was measured, and of the figures only the share of days with the prescribed amount with ' +
      "people's word: the pills do not count on their day.",
  })
  @Post('no-dose')
  @Audited({ action: 'dose.attest', kind: 'bottle', keep: ['removed_at', 'pills', 'attested_by'] })
  @Roles('support')
  @Creates(AttestationDto)
  async attestNoDose(
    @IdParam() id: Types.ObjectId,
    @Caller() { name }: Staff,
    @Body() { removed_at, pills = 1, attested_by = 'staff', note }: AttestNoDoseDto,
  ): Promise<AttestationDto> {
    const by = { attested_by, recorded_by: name, ...(note !== undefined && { note }) };
    return this.shown(id, await this.attestations.attestNoDose(id, new Date(removed_at), pills, by));
  }

  @ApiOperation({ summary: 'Withdraws a statement, by a further entry: both are kept' })
  @Post(':attestation_id/withdraw')
  @Audited({ action: 'dose.withdraw_attestation', kind: 'bottle', keep: ['attested_by'] })
  @Roles('support')
  @Creates(AttestationDto)
  async withdrawAttestation(
    @IdParam() id: Types.ObjectId,
    @AttestationIdParam() attestationId: Types.ObjectId,
    @Caller() { name }: Staff,
    @Body() { attested_by = 'staff', note }: WithdrawDto,
  ): Promise<AttestationDto> {
    const by = { attested_by, recorded_by: name, ...(note !== undefined && { note }) };
    return this.shown(id, await this.attestations.withdraw(id, attestationId, by));
  }

  @ApiOperation({ summary: 'Lists what people say about doses, by dose, newest first' })
  @GetList(AttestationDto)
  listAttestations(
    @IdParam() id: Types.ObjectId,
    @Query() query: HistoryQuery,
  ): Promise<Page<AttestationDto>> {
    return this.attestations.list(id, query);
  }

  private async shown(id: Types.ObjectId, entry: AttestationEntry): Promise<AttestationDto> {
    return (await this.attestations.show(id, [entry]))[0]!;
  }
}
