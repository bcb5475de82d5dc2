import type { Role } from '#persistence';
import { type Clock, type DatabaseConfig, generatePassword, hashPassword, passwordProblem } from '#platform';
import { Types } from 'mongoose';
import { StaffError, withStaff } from './staff-database.js';

/** An account to make. */
export interface NewStaff {
  email: string;
  name: string;
  role: Role;
}

/**
 * Creates a console account. It is needed for the first admin; later accounts are created in the console. The first
 * sign-in asks for another password.
 *
 * @param given the password; if undefined, one is generated and printed.
 * @throws StaffError
 */
export async function createStaff(
  { email, name, role }: NewStaff,
  given: string | undefined,
  config: DatabaseConfig,
  { say, clock }: { say: (line: string) => void; clock: Clock },
): Promise<void> {
  const problem = given === undefined ? undefined : passwordProblem(given, email);
  if (problem !== undefined) throw new StaffError(`the password ${problem}`);
  const password = given ?? generatePassword();
  await withStaff(config, clock, async ({ staff, record }) => {
    const id = new Types.ObjectId();
    const made = await staff.insert({
      _id: id,
      email,
      name,
      role,
      password_hash: await hashPassword(password),
      must_change_password: true,
      created_at: clock.now(),
    });
    if (!made) throw new StaffError(`${email} has an account already; an admin can give it a new password`);
    await record({ action: 'staff.create', command: 'create-staff', id, details: { email, name, role } });
  });
  say(`${email} may sign in as ${role}, and then chooses another password.`);
  if (given === undefined) say(`The password is shown this once: ${password}`);
}
