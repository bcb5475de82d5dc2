import { staffIn, staffRecipient } from '#domain';
import { StaffRepository, type StaffWithBrowsers } from '#persistence';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Types } from 'mongoose';
import { NotifierConfig } from '../../../config.js';

/** The browsers of staff that show what the operator is sent, as they were last read: a change holds a second later. */
@Injectable()
export class StaffBrowsers implements OnModuleInit {
  private byRecipient: ReadonlyMap<string, StaffWithBrowsers> = new Map();

  constructor(
    private readonly staff: StaffRepository,
    private readonly config: NotifierConfig,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.refresh();
  }

  /** Whose browsers show messages; none without `PUSH_KEY`. */
  get recipients(): string[] {
    return [...this.byRecipient.keys()];
  }

  of(recipient: string): StaffWithBrowsers | undefined {
    return this.byRecipient.get(recipient);
  }

  async refresh(): Promise<void> {
    if (this.config.PUSH_KEY === undefined) return;
    const found = await this.staff.findWithBrowsers();
    this.byRecipient = new Map(found.map((account) => [staffRecipient(account._id.toHexString()), account]));
  }

  /** Removes browsers that their push services no longer know. */
  async remove(recipient: string, endpoints: readonly string[]): Promise<void> {
    await this.staff.removeBrowsers(new Types.ObjectId(staffIn(recipient)), endpoints);
    await this.refresh();
  }
}
