import { ApiKeysRepository, AuditRepository, StaffRepository, StaffSessionsRepository } from '#persistence';
import type { Clock, DatabaseConfig } from '#platform';
import type { Types } from 'mongoose';
import { withDatabase } from '../with-database.js';

/** What a command does to an account. */
interface StaffChange {
  /** Such as `staff.create`. */
  action: string;
  /** The command's name. */
  command: string;
  id: Types.ObjectId;
  details: Record<string, unknown>;
}

/** The command cannot do it; the message says why. */
export class StaffError extends Error {}

/** The repositories of staff, for one command at the database of MONGODB_URI. */
export interface StaffDatabase {
  staff: StaffRepository;
  sessions: StaffSessionsRepository;
  keys: ApiKeysRepository;
  /** Records what the command has done. */
  record: (change: StaffChange) => Promise<void>;
}

/** Opens the database, runs the command, and closes it. */
export async function withStaff(
  config: DatabaseConfig,
  clock: Clock,
  run: (database: StaffDatabase) => Promise<void>,
): Promise<void> {
  await withDatabase(config, async (app) => {
    const record = ({ action, command, id, details }: StaffChange): Promise<void> => {
      const subject = { kind: 'staff', id: id.toHexString() } as const;
      const who = { kind: 'command', id: command, name: 'npm run admin' } as const;
      return app
        .get(AuditRepository)
        .append([{ at: clock.now(), category: 'change', who, action, subject, details }]);
    };
    await run({
      staff: app.get(StaffRepository),
      sessions: app.get(StaffSessionsRepository),
      keys: app.get(ApiKeysRepository),
      record,
    });
  });
}
