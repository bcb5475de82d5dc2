import { ACTIVE_STATES, mayHaveArrived, type MessageNames, quietHoursEnd } from '#domain';
import {
  type Alert,
  AlertsRepository,
  BottlesRepository,
  type ContactDetails,
  contactDetailsOf,
  ContactsRepository,
  DeliveriesRepository,
  type Delivery,
  namesOf,
} from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../auth/audit-log.js';
import { itsBottle } from '../auth/audited.js';
import type { Staff } from '../auth/staff.js';
import { SupportApiConfig } from '../config.js';
import { toObjectId } from '../http/ids.js';
import { closingBy } from './alert-actions.service.js';
import type { CloseDto } from './alert-requests.dto.js';
import type { ClosingMessageDto, ClosingPreviewDto } from './alert.dto.js';
import { previewOf } from './message-preview.js';

/** Shows what people would read if staff closed alerts now. */
@Injectable()
export class ClosingPreviewService {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly contacts: ContactsRepository,
    private readonly bottles: BottlesRepository,
    private readonly log: AuditLog,
    private readonly clock: Clock,
    private readonly config: SupportApiConfig,
  ) {}

  /** Alerts that cannot be closed any more send nothing. @throws Problem 400 as for closing */
  async preview(ids: string[], caller: Staff, body: CloseDto): Promise<ClosingPreviewDto> {
    const now = this.clock.now();
    const closing = closingBy(caller.name, now, body);
    if (!closing.notified) return { messages: [] };
    const distinct = [...new Set(ids.map((id) => id.toLowerCase()))];
    const found = await this.alerts.findByIds(distinct.map((id) => toObjectId(id, 'ids')));
    const alerts = found.filter(({ state }) => ACTIVE_STATES.includes(state));
    const [sent, contacts, bottles] = await Promise.all([
      this.deliveries.findByAlerts(alerts.map(({ _id }) => _id)),
      this.contacts.findByUsers([...new Set(alerts.map(({ user_id }) => user_id))]),
      this.bottles.findDescriptions(alerts.map(({ bottle_id }) => bottle_id)),
    ]);
    const contactOf = new Map(contacts.map((contact) => [contact._id, contact]));
    const messages = alerts.flatMap((alert) =>
      addressesOf(alert, sent).map((address) => {
        const contact = contactOf.get(alert.user_id);
        const details = contactDetailsOf(address.recipient, contact);
        const names = namesOf(alert, bottles, contact?.name);
        return this.messageTo(address, details, { ...alert, state: 'closed', closing }, names, now);
      }),
    );
    for (const { _id, bottle_id } of alerts)
      this.log.noteRead(caller, {
        action: 'alert.preview_closing',
        subject: { kind: 'alert', id: _id.toHexString() },
        also: itsBottle({ bottle_id: bottle_id.toHexString() }),
      });
    return { messages };
  }

  private messageTo(
    address: Pick<Delivery, 'recipient' | 'channel'>,
    details: ContactDetails | undefined,
    alert: Alert,
    names: MessageNames,
    now: Date,
  ): ClosingMessageDto {
    const delivery = { ...address, event: 'closed_by_staff', created_at: now } as const;
    return {
      ...previewOf(delivery, alert, details, this.config, names),
      not_before: quietHoursEnd(alert, details, now) ?? null,
    };
  }
}

/** Whom an earlier message about the alert has reached, or may have reached. */
function addressesOf(
  alert: Alert,
  deliveries: readonly Delivery[],
): Pick<Delivery, 'recipient' | 'channel'>[] {
  const reached = deliveries.filter((one) => one.alert_id.equals(alert._id) && mayHaveArrived(one));
  return [...new Map(reached.map((one) => [`${one.recipient} ${one.channel}`, one])).values()];
}
