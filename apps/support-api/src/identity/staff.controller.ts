import { Body, Delete, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { Audited, NoPatientData } from '../auth/audited.js';
import { Sensitive } from '../auth/sensitive.js';
import { Roles, StaffController } from '../auth/staff-controller.js';
import { Caller, type Staff } from '../auth/staff.js';
import { Creates } from '../http/creates.js';
import { IdParam } from '../http/ids.js';
import { GetAll } from '../http/list.js';
import { FormatQuery } from '../http/paging.js';
import { ChangeStaffDto, ColleagueDto, CreatedStaffDto, CreateStaffDto, StaffDto } from './identity.dto.js';
import { StaffService } from './staff.service.js';

@StaffController('v1/staff', 'staff', 'admin')
export class StaffAccountsController {
  constructor(private readonly staff: StaffService) {}

  @ApiOperation({ summary: 'Lists all accounts, oldest first' })
  @GetAll(StaffDto)
  @NoPatientData()
  listStaff(@Query() _query: FormatQuery): Promise<{ items: StaffDto[] }> {
    return this.staff.list();
  }

  @ApiOperation({
    summary: 'Lists the accounts to which alerts can be assigned: the active ones that may act on them',
  })
  @GetAll(ColleagueDto, 'colleagues')
  @NoPatientData()
  @Roles('support')
  listColleagues(@Query() _query: FormatQuery): Promise<{ items: ColleagueDto[] }> {
    return this.staff.colleagues();
  }

  @ApiOperation({ summary: 'Creates an account' })
  @Post()
  @Sensitive('accounts')
  @Audited({ action: 'staff.create', kind: 'staff', idIn: 'id', keep: ['email', 'name', 'role'] })
  @Creates(CreatedStaffDto)
  createStaff(@Body() body: CreateStaffDto): Promise<CreatedStaffDto> {
    return this.staff.create(body);
  }

  @ApiOperation({
    summary: 'Changes an account',
    description: 'A new role takes effect with the next request.',
  })
  @Patch(':id')
  @Sensitive('accounts')
  @Audited({ action: 'staff.change', kind: 'staff', keep: ['name', 'role', 'disabled'] })
  @ApiOkResponse({ type: StaffDto })
  changeStaff(
    @IdParam() id: Types.ObjectId,
    @Caller() caller: Staff,
    @Body() body: ChangeStaffDto,
  ): Promise<StaffDto> {
    return this.staff.change(id, caller, body);
  }

  @ApiOperation({
    summary: 'Resets the second factor of a person who has lost it',
    description: 'Signs them out everywhere.',
  })
  @Delete(':id/second-factor')
  @Sensitive('accounts')
  @Audited({ action: 'staff.reset_second_factor', kind: 'staff' })
  @HttpCode(204)
  @ApiNoContentResponse()
  resetSecondFactor(@IdParam() id: Types.ObjectId, @Caller() caller: Staff): Promise<void> {
    return this.staff.resetSecondFactor(id, caller);
  }
}
