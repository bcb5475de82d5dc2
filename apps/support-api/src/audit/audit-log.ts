import { type Actor, AuditRepository, type Subject, subjectKey } from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';

/** What is written down of something that was done. */
export interface Deed {
  action: string;
  subject: Subject;
  /** What it concerns besides its subject. */
  also?: Subject[];
  /** No secrets, and nothing about patients. */
  details?: Record<string, unknown>;
}

/** Who did what. A change is answered only when it stands here. */
@Injectable()
export class AuditLog {
  constructor(
    private readonly entries: AuditRepository,
    private readonly clock: Clock,
  ) {}

  async record({ kind, id, name }: Actor, ...deeds: Deed[]): Promise<void> {
    const at = this.clock.now();
    await this.entries.insertMany(
      deeds.map(({ action, subject, also = [], details = {} }) => ({
        _id: new Types.ObjectId(),
        at,
        who: { kind, id, name },
        action,
        subject,
        about: [...new Set([subject, ...also].map(subjectKey))],
        details,
      })),
    );
  }
}
