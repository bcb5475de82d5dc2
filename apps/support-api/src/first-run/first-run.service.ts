import { DAY_MS } from '#domain';
import {
  ADDRESS_CHANNELS,
  AuditRepository,
  BottlesRepository,
  ContactsRepository,
  CoverageRepository,
  ReceiversRepository,
  type StaffAccount,
  StaffRepository,
} from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { SupportApiConfig } from '../config.js';
import { isSetUp } from '../settings/set-up.js';
import { FIRST_STEPS, type FirstRunDto, type FirstStep } from './first-run.dto.js';

/** In the audit, who has confirmed that there is a backup. */
export const CONFIRM_BACKUP = { action: 'setup.confirm_backup', kind: 'list', id: 'first_run' } as const;

/** How far a new service is set up, as far as it can be seen from what is stored. */
@Injectable()
export class FirstRunService {
  constructor(
    private readonly config: SupportApiConfig,
    private readonly audit: AuditRepository,
    private readonly bottles: BottlesRepository,
    private readonly contacts: ContactsRepository,
    private readonly coverage: CoverageRepository,
    private readonly receivers: ReceiversRepository,
    private readonly staff: StaffRepository,
    private readonly clock: Clock,
  ) {}

  async get(): Promise<FirstRunDto> {
    const now = this.clock.now();
    const [admins, notifiers, health, tests, bottle, contact, backup] = await Promise.all([
      this.activeAdmins(),
      this.coverage.findNotifiersChannels(now),
      this.receivers.findHealth(new Date(now.getTime() - DAY_MS)),
      this.contacts.findDeliveredTests(),
      this.bottles.isAnyRegistered(),
      this.contacts.isAnyStored(),
      this.audit.findLast({ kind: CONFIRM_BACKUP.kind, id: CONFIRM_BACKUP.id }, CONFIRM_BACKUP.action),
    ]);
    const reached = new Set([
      ...[...health].flatMap(([channel, { deliveredAt }]) => (deliveredAt ? [channel] : [])),
      ...tests,
    ]);
    const done: Record<FirstStep, boolean> = {
      password: admins.length > 0 && (await this.haveOwnPasswords(admins)),
      second_factor:
        this.config.SECOND_FACTOR === 'off' || admins.every((admin) => admin.second_factor !== undefined),
      public_url: this.config.PUBLIC_URL !== undefined,
      mail: reached.has('email') && isSetUp('email', notifiers) !== false,
      bottle,
      contact,
      test_message: reached.size > 0,
      second_admin: admins.length > 1,
      backup: backup !== null,
    };
    return {
      steps: FIRST_STEPS.map((step) => ({ step, done: done[step] })),
      channels: ADDRESS_CHANNELS.map((channel) => ({ channel, set_up: isSetUp(channel, notifiers) })),
    };
  }

  private async activeAdmins(): Promise<StaffAccount[]> {
    const accounts = await this.staff.findAll();
    return accounts.filter(({ role, disabled }) => role === 'admin' && !disabled);
  }

  private async haveOwnPasswords(admins: StaffAccount[]): Promise<boolean> {
    if (admins.some(({ must_change_password }) => must_change_password)) return false;
    const changes = admins.map(({ _id }) =>
      this.audit.findLast({ kind: 'staff', id: _id.toHexString() }, 'session.change_password'),
    );
    return !(await Promise.all(changes)).includes(null);
  }
}
