import type { Expected } from '#persistence';
import { Body, HttpCode, Post, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Types } from 'mongoose';
import { Audited } from '../auth/audited.js';
import { Caller, type Staff } from '../auth/staff.js';
import { Roles, StaffController } from '../auth/staff-controller.js';
import { IdParam } from '../http/ids.js';
import { IfMatch, sendVersion } from '../http/versions.js';
import { BottleDto } from './bottle.dto.js';
import { AssignBottleDto, RetireDto, StoreDto } from './life.dto.js';
import { LifeService } from './life.service.js';
import { LookupService } from './lookup.service.js';

@StaffController('v1/bottles', 'bottles', 'viewer')
export class LifeController {
  constructor(
    private readonly life: LifeService,
    private readonly lookup: LookupService,
  ) {}

  @ApiOperation({
    summary: 'Retires a bottle: it was returned, is lost or broken, or its owner died',
    description:
      'Its alerts are closed, no dose of it is due any more, and within a minute its token stops (403 `bottle_retired`). Its data stays. Repeated, it corrects the reason.',
  })
  @Post(':id/retire')
  @HttpCode(200)
  @Audited({ action: 'bottle.retire', kind: 'bottle', keep: ['reason'] })
  @Roles('support')
  @ApiOkResponse({ type: BottleDto })
  async retireBottle(
    @IdParam() id: Types.ObjectId,
    @Body() body: RetireDto,
    @Caller() { name }: Staff,
    @IfMatch() expected: Expected,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BottleDto> {
    await this.life.retire(id, body, name, expected);
    return this.show(id, reply);
  }

  @ApiOperation({
    summary: "Stores a bottle: it is nobody's, and in a cupboard",
    description:
      'Its alerts are closed, no dose of it is due any more, and its silence alarms nobody. Its reports are still taken.',
  })
  @Post(':id/store')
  @HttpCode(200)
  @Audited({ action: 'bottle.store', kind: 'bottle' })
  @Roles('support')
  @ApiOkResponse({ type: BottleDto })
  async storeBottle(
    @IdParam() id: Types.ObjectId,
    @Body() body: StoreDto,
    @Caller() { name }: Staff,
    @IfMatch() expected: Expected,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BottleDto> {
    await this.life.store(id, body, name, expected);
    return this.show(id, reply);
  }

  @ApiOperation({
    summary: 'Assigns a stored or retired bottle to a person, who may be the one whose it was',
    description:
      'It is in use from now on, by the schedule in the request; the plan of before does not come back. Its token works again. Reports of before stay with whose it was.',
  })
  @Post(':id/assign')
  @HttpCode(200)
  @Audited({ action: 'bottle.assign', kind: 'bottle' })
  @Roles('support')
  @ApiOkResponse({ type: BottleDto })
  async assignBottle(
    @IdParam() id: Types.ObjectId,
    @Body() body: AssignBottleDto,
    @Caller() { name }: Staff,
    @IfMatch() expected: Expected,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BottleDto> {
    await this.life.assign(id, body, name, expected);
    return this.show(id, reply);
  }

  private async show(id: Types.ObjectId, reply: FastifyReply): Promise<BottleDto> {
    const { version, view } = await this.lookup.get(id);
    sendVersion(reply, version, view);
    return view;
  }
}
