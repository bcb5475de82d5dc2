import { type Expected, versionOf } from '#persistence';
import { Body, Delete, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Types } from 'mongoose';
import { Audited } from '../auth/audited.js';
import { Roles, StaffController } from '../auth/staff-controller.js';
import { Caller, type Staff } from '../auth/staff.js';
import { Creates } from '../http/creates.js';
import { IdParam, PeriodIdParam, UserIdParam } from '../http/ids.js';
import { GetAll } from '../http/list.js';
import { FormatQuery } from '../http/paging.js';
import { IfMatch, sendVersion } from '../http/versions.js';
import { AddPeriodDto, ChangePeriodDto, UnmonitoredPeriodDto } from './periods.dto.js';
import { PeriodsService, periodView } from './periods.service.js';

const KEPT = ['reason', 'from', 'to'];

@StaffController('v1/bottles/:id/periods', 'bottles', 'viewer')
export class BottlePeriodsController {
  constructor(private readonly periods: PeriodsService) {}

  @ApiOperation({
    summary: 'Lists the periods without monitoring of a bottle, the one that begins last first',
  })
  @GetAll(UnmonitoredPeriodDto)
  @Audited({ action: 'bottle.read', kind: 'bottle' })
  async listPeriods(
    @IdParam() id: Types.ObjectId,
    @Query() _query: FormatQuery,
  ): Promise<{ items: UnmonitoredPeriodDto[] }> {
    return { items: await this.periods.ofBottle(id) };
  }

  @ApiOperation({
    summary: 'Adds a period of which the bottle says nothing, past or future',
    description:
      'Doses that are due in it have the outcome `not_monitored`. What was judged is judged again, and whoever was ' +
      'notified of such a dose is notified that it was not monitored.',
  })
  @Post()
  @Audited({ action: 'bottle.add_period', kind: 'bottle', keep: KEPT })
  @Roles('support')
  @Creates(UnmonitoredPeriodDto)
  async addPeriod(
    @IdParam() id: Types.ObjectId,
    @Body() body: AddPeriodDto,
    @Caller() { name }: Staff,
    @IfMatch() expected: Expected,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UnmonitoredPeriodDto> {
    const { bottle, made } = await this.periods.add(id, body, name, expected);
    sendVersion(reply, versionOf(bottle));
    return periodView(made);
  }

  @ApiOperation({ summary: 'Changes a period without monitoring: what was judged is judged again' })
  @Patch(':period_id')
  @Audited({ action: 'bottle.change_period', kind: 'bottle', keep: KEPT })
  @Roles('support')
  @ApiOkResponse({ type: UnmonitoredPeriodDto })
  async changePeriod(
    @IdParam() id: Types.ObjectId,
    @PeriodIdParam() periodId: string,
    @Body() body: ChangePeriodDto,
    @Caller() { name }: Staff,
    @IfMatch() expected: Expected,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UnmonitoredPeriodDto> {
    const { bottle, made } = await this.periods.change(id, periodId, body, name, expected);
    sendVersion(reply, versionOf(bottle));
    return periodView(made);
  }

  @ApiOperation({ summary: 'Removes a period without monitoring: its doses are judged by the reports' })
  @Delete(':period_id')
  @Audited({ action: 'bottle.remove_period', kind: 'bottle' })
  @Roles('support')
  @HttpCode(204)
  @ApiNoContentResponse()
  removePeriod(
    @IdParam() id: Types.ObjectId,
    @PeriodIdParam() periodId: string,
    @IfMatch() expected: Expected,
  ): Promise<void> {
    return this.periods.remove(id, periodId, expected);
  }
}

@StaffController('v1/people/:user_id/periods', 'people', 'viewer')
export class PersonsPeriodsController {
  constructor(private readonly periods: PeriodsService) {}

  @ApiOperation({
    summary:
      'Lists the periods without monitoring of all bottles of a person, the one that begins last first',
  })
  @GetAll(UnmonitoredPeriodDto)
  @Audited({ action: 'person.read', kind: 'contact' })
  async listPersonsPeriods(
    @UserIdParam() userId: string,
    @Query() _query: FormatQuery,
  ): Promise<{ items: UnmonitoredPeriodDto[] }> {
    return { items: await this.periods.ofPerson(userId) };
  }

  @ApiOperation({
    summary: 'Adds a period of which no bottle of a person says anything, past or future',
    description: 'It is of all their bottles, and of those that they get while it lasts.',
  })
  @Post()
  @Audited({ action: 'person.add_period', kind: 'contact', keep: KEPT })
  @Roles('support')
  @Creates(UnmonitoredPeriodDto)
  addPersonsPeriod(
    @UserIdParam() userId: string,
    @Body() body: AddPeriodDto,
    @Caller() { name }: Staff,
  ): Promise<UnmonitoredPeriodDto> {
    return this.periods.addForPerson(userId, body, name);
  }

  @ApiOperation({ summary: 'Changes a period without monitoring of a person, in all their bottles' })
  @Patch(':period_id')
  @Audited({ action: 'person.change_period', kind: 'contact', keep: KEPT })
  @Roles('support')
  @ApiOkResponse({ type: UnmonitoredPeriodDto })
  changePersonsPeriod(
    @UserIdParam() userId: string,
    @PeriodIdParam() periodId: string,
    @Body() body: ChangePeriodDto,
    @Caller() { name }: Staff,
  ): Promise<UnmonitoredPeriodDto> {
    return this.periods.changeForPerson(userId, periodId, body, name);
  }

  @ApiOperation({ summary: 'Removes a period without monitoring of a person, from all their bottles' })
  @Delete(':period_id')
  @Audited({ action: 'person.remove_period', kind: 'contact' })
  @Roles('support')
  @HttpCode(204)
  @ApiNoContentResponse()
  removePersonsPeriod(@UserIdParam() userId: string, @PeriodIdParam() periodId: string): Promise<void> {
    return this.periods.removeForPerson(userId, periodId);
  }
}
