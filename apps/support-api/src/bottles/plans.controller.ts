import { Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Audited } from '../auth/audited.js';
import { StaffController } from '../auth/staff-controller.js';
import { GetList } from '../http/list.js';
import type { Page } from '../http/paging.js';
import { FILE_COLUMNS, rowsOf } from './csv-bottle.js';
import { BottlePlanDto, ListPlansQuery } from './plans.dto.js';
import { PlansService } from './plans.service.js';

@StaffController('v1/bottles', 'bottles', 'viewer')
export class PlansController {
  constructor(private readonly plans: PlansService) {}

  @ApiOperation({
    summary: 'Lists the bottles in use with their plans, oldest registration first',
    description:
      'As CSV it is a file that `POST /v1/bottles/import` takes: the same columns, and a line for each step.',
  })
  @GetList(BottlePlanDto, 'plans', { columns: FILE_COLUMNS, rowsOf })
  @Audited({ action: 'bottle.list', kind: 'list', id: 'plans', keep: ['medication'] })
  listPlans(@Query() query: ListPlansQuery): Promise<Page<BottlePlanDto>> {
    return this.plans.list(query);
  }
}
