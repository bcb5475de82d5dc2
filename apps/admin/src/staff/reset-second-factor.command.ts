import type { Clock, DatabaseConfig } from '#platform';
import { StaffError, withStaff } from './staff-database.js';

/** Resets the second factor of a person who has lost it, the only admin for instance. @throws StaffError */
export async function resetSecondFactor(
  email: string,
  config: DatabaseConfig,
  { say, clock }: { say: (line: string) => void; clock: Clock },
): Promise<void> {
  await withStaff(config, clock, async ({ staff, sessions, keys, record }) => {
    const account = await staff.findByEmail(email);
    if (!account) throw new StaffError(`${email} has no account`);
    const { _id: id } = account;
    await staff.setSecondFactor(id, undefined);
    await sessions.deleteOfStaff(id);
    await keys.deleteMadeBy(id);
    await record({ action: 'staff.reset_second_factor', command: 'reset-second-factor', id, details: {} });
  });
  say(`${email} signs in with the password alone, and sets up another second factor if the role needs one.`);
}
