import {
  AlertsRepository,
  type AuditEntry,
  BottlesRepository,
  ContactsRepository,
  labelOf,
  StaffRepository,
} from '#persistence';
import { definedOnly } from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { SubjectDto } from './audit.dto.js';

type Names = Omit<SubjectDto, 'kind' | 'id'>;

/** Says by what people know the subjects of audit entries. The audit itself has ids and pseudonyms only. */
@Injectable()
export class NamedSubjectsService {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly bottles: BottlesRepository,
    private readonly contacts: ContactsRepository,
    private readonly staff: StaffRepository,
  ) {}

  /** The names that apply now; of what is not there any more, none. */
  async name(entries: readonly AuditEntry[]): Promise<(AuditEntry & { subject: SubjectDto })[]> {
    const idsOf = (kind: string): string[] => [
      ...new Set(entries.flatMap(({ subject }) => (subject.kind === kind ? [subject.id] : []))),
    ];
    const objectIdsOf = (kind: string): Types.ObjectId[] =>
      idsOf(kind)
        .filter((id) => /^[0-9a-f]{24}$/.test(id))
        .map((id) => new Types.ObjectId(id));
    const alerts = await this.alerts.findByIds(objectIdsOf('alert'));
    const [bottles, staff] = await Promise.all([
      this.bottles.findDescriptions([...objectIdsOf('bottle'), ...alerts.map(({ bottle_id }) => bottle_id)]),
      this.staff.findNames(objectIdsOf('staff')),
    ]);
    const alertOf = new Map(alerts.map((alert) => [alert._id.toHexString(), alert]));
    const people = await this.contacts.findNames([
      ...idsOf('contact'),
      ...[...bottles.values(), ...alerts].map(({ user_id }) => user_id),
    ]);
    const nameOf = (user: string): Names => definedOnly({ name: people.get(user) });
    const ofBottle = (id: string): Names => {
      const { user_id, medication, label } = bottles.get(id) ?? {};
      if (user_id === undefined) return {};
      return { user_id, ...nameOf(user_id), ...definedOnly({ medication, label: label || undefined }) };
    };
    const ofAlert = (id: string): Names => {
      const alert = alertOf.get(id);
      if (!alert) return {};
      const { user_id, medication, kind } = alert;
      const label = labelOf(alert, bottles);
      return { user_id, ...nameOf(user_id), medication, ...definedOnly({ label }), alert_kind: kind };
    };
    const namesOf: Partial<Record<string, (id: string) => Names>> = {
      bottle: ofBottle,
      alert: ofAlert,
      contact: nameOf,
      staff: (id) => definedOnly({ name: staff.get(id) }),
    };
    return entries.map((entry) => {
      const { kind, id } = entry.subject;
      return { ...entry, subject: { kind, id, ...namesOf[kind]?.(id) } };
    });
  }
}
