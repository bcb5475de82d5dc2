import { DELIVERY_STATUSES, type DeliveryStatus } from '#persistence';
import { EnumField, IdField } from '#platform';
import { PageQuery } from '../http/paging.js';

export class ListDeliveriesQuery extends PageQuery {
  @EnumField(DELIVERY_STATUSES, { optional: true })
  status?: DeliveryStatus;

  @IdField({ optional: true })
  alert_id?: string;
}
