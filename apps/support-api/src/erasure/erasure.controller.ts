import { Delete, Get } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { AuditsItself } from '../audit/audited.js';
import { Roles } from '../auth/roles.js';
import { StaffController } from '../auth/staff-controller.js';
import { Caller, type Staff } from '../auth/staff.js';
import { IdParam } from '../http/object-id.js';
import { ErasureReceiptDto } from './erasure.dto.js';
import { ErasureService } from './erasure.service.js';

@StaffController('v1/bottles/:id', 'bottles', 'viewer')
export class ErasureController {
  constructor(private readonly erasure: ErasureService) {}

  /** Erases a bottle with everything that is known of it, and leaves a receipt. */
  @Delete()
  @AuditsItself()
  @Roles('admin')
  @ApiOkResponse({ type: ErasureReceiptDto })
  erase(@IdParam() id: Types.ObjectId, @Caller() caller: Staff): Promise<ErasureReceiptDto> {
    return this.erasure.erase(id, caller);
  }

  /** The receipt of a bottle that was erased. */
  @Get('erasure')
  @ApiOkResponse({ type: ErasureReceiptDto })
  receipt(@IdParam() id: Types.ObjectId): Promise<ErasureReceiptDto> {
    return this.erasure.receipt(id);
  }
}
