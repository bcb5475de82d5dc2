import { Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { Audited, itsBottle } from '../audit/audited.js';
import { Roles } from '../auth/roles.js';
import { StaffController } from '../auth/staff-controller.js';
import { AlsoCsv } from '../http/csv.js';
import { MessageIdParam } from '../http/object-id.js';
import { type Page, PageOf } from '../http/paging.js';
import { DeliveriesService } from './deliveries.service.js';
import { ListDeliveriesQuery } from './delivery-requests.dto.js';
import { DELIVERY_COLUMNS, DeliveryDto } from './delivery-views.dto.js';

@StaffController('v1/deliveries', 'deliveries', 'viewer')
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  /** Messages by status and alert, newest first; kept for 90 days. */
  @Get()
  @AlsoCsv(DELIVERY_COLUMNS)
  @ApiOkResponse({ type: PageOf(DeliveryDto) })
  list(@Query() query: ListDeliveriesQuery): Promise<Page<DeliveryDto>> {
    return this.deliveries.list(query);
  }

  /** Sends a dead message again, under the same id. */
  @Post(':id/replay')
  @Audited({ action: 'delivery.replay', kind: 'delivery', also: itsBottle })
  @Roles('support')
  @HttpCode(200)
  @ApiOkResponse({ type: DeliveryDto })
  replay(@MessageIdParam() id: string): Promise<DeliveryDto> {
    return this.deliveries.replay(id);
  }
}
