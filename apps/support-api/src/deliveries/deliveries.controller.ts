import { HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { Audited, bottleAndOwner, itsBottle } from '../auth/audited.js';
import { Roles, StaffController } from '../auth/staff-controller.js';
import { MessageIdParam } from '../http/ids.js';
import { GetList } from '../http/list.js';
import type { Page } from '../http/paging.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryDto, ListDeliveriesQuery, MessageDto, SentPendingDto } from './delivery.dto.js';

const toAudited = ({ id, bottle_id }: SentPendingDto['sent'][number]) => ({
  id,
  also: itsBottle({ bottle_id }),
});

@StaffController('v1/deliveries', 'deliveries', 'viewer')
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @ApiOperation({
    summary: 'Lists notifications with their texts by status, alert, channel and time, newest first',
    description: 'They are kept for 90 days.',
  })
  @GetList(MessageDto)
  @Audited({
    action: 'delivery.list',
    kind: 'list',
    id: 'deliveries',
    keep: ['status', 'alert_id', 'channel'],
    shows: { by: ['alert_id'], in: ({ items }: Page<MessageDto>) => items.flatMap(bottleAndOwner) },
  })
  listDeliveries(@Query() query: ListDeliveriesQuery): Promise<Page<MessageDto>> {
    return this.deliveries.list(query);
  }

  @ApiOperation({
    summary:
      'Sends the pending notifications that failed and wait for their next attempt now, at most 500, longest waiting first',
    description: 'What waits for quiet hours, a snooze or a limit is left.',
  })
  @Post('send-pending')
  @Audited({
    action: 'delivery.send_pending',
    kind: 'delivery',
    each: ({ sent }: SentPendingDto) => sent.map(toAudited),
  })
  @Roles('support')
  @HttpCode(200)
  @ApiOkResponse({ type: SentPendingDto })
  sendPendingDeliveries(): Promise<SentPendingDto> {
    return this.deliveries.sendPending();
  }

  @ApiOperation({ summary: 'Sends a dead notification again, with the same id' })
  @Post(':id/replay')
  @Audited({ action: 'delivery.replay', kind: 'delivery', also: itsBottle })
  @Roles('support')
  @HttpCode(200)
  @ApiOkResponse({ type: DeliveryDto })
  replayDelivery(@MessageIdParam() id: string): Promise<DeliveryDto> {
    return this.deliveries.replay(id);
  }
}
