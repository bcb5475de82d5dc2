import type { Alert } from '#persistence';
import { Injectable } from '@nestjs/common';
import { itsBottle } from '../auth/audited.js';
import { AuditLog } from '../auth/audit-log.js';

/** Records what recipients do through links. */
@Injectable()
export class LinkAudit {
  constructor(private readonly audit: AuditLog) {}

  record({ _id, bottle_id }: Alert, recipient: string, action: string): Promise<void> {
    return this.audit.record(
      { kind: 'link', id: recipient, name: recipient },
      {
        action,
        subject: { kind: 'alert', id: _id.toHexString() },
        also: itsBottle({ bottle_id: bottle_id.toHexString() }),
      },
    );
  }

  /** @param userId whose contact it is */
  recordOfContact(userId: string, recipient: string, action: string): Promise<void> {
    return this.audit.record(
      { kind: 'link', id: recipient, name: recipient },
      { action, subject: { kind: 'contact', id: userId } },
    );
  }
}
