import { Body, Get, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { Audited } from '../audit/audited.js';
import { StaffController } from '../auth/staff-controller.js';
import { Caller, type Staff } from '../auth/staff.js';
import { AlsoCsv } from '../http/csv.js';
import { IdParam } from '../http/object-id.js';
import { PageOf } from '../http/paging.js';
import { ChangeStaffDto, CreatedStaffDto, CreateStaffDto, STAFF_COLUMNS, StaffDto } from './staff.dto.js';
import { StaffService } from './staff.service.js';

@StaffController('v1/staff', 'staff', 'admin')
export class StaffAccountsController {
  constructor(private readonly staff: StaffService) {}

  /** Everyone who has an account, oldest first. */
  @Get()
  @AlsoCsv(STAFF_COLUMNS)
  @ApiOkResponse({ type: PageOf(StaffDto) })
  list(): Promise<{ items: StaffDto[] }> {
    return this.staff.list();
  }

  /** A new account. */
  @Post()
  @Audited({ action: 'staff.create', kind: 'staff', idIn: 'id', keep: ['email', 'name', 'role'] })
  @ApiCreatedResponse({ type: CreatedStaffDto })
  create(@Body() body: CreateStaffDto): Promise<CreatedStaffDto> {
    return this.staff.create(body);
  }

  /** Changes an account; a role holds from the next request on. */
  @Patch(':id')
  @Audited({ action: 'staff.change', kind: 'staff', keep: ['name', 'role', 'disabled'] })
  @ApiOkResponse({ type: StaffDto })
  change(
    @IdParam() id: Types.ObjectId,
    @Caller() caller: Staff,
    @Body() body: ChangeStaffDto,
  ): Promise<StaffDto> {
    return this.staff.change(id, caller, body);
  }
}
