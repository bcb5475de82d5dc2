import { AuditRepository, PersistenceModule, type Role, StaffRepository, subjectKey } from '#persistence';
import { type Clock, type DatabaseConfig, generatePassword, hashPassword, passwordProblem } from '#platform';
import { NestFactory } from '@nestjs/core';
import { Types } from 'mongoose';

/** An account to make. */
export interface NewStaff {
  email: string;
  name: string;
  role: Role;
}

/** The account cannot be made; the message says why. */
export class StaffError extends Error {}

/**
 * Creates a console account. It is needed for the first admin; later accounts are created in the console.
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
  const module = PersistenceModule.forRoot(config.MONGODB_URI, {
    heartbeatRetention: config.HEARTBEAT_RETENTION,
  });
  const app = await NestFactory.createApplicationContext(module, { logger: ['error'], abortOnError: false });
  try {
    const _id = new Types.ObjectId();
    const made = await app.get(StaffRepository).insert({
      _id,
      email,
      name,
      role,
      password_hash: await hashPassword(password),
      created_at: clock.now(),
    });
    if (!made) throw new StaffError(`${email} has an account already; an admin can give it a new password`);
    const subject = { kind: 'staff', id: _id.toHexString() } as const;
    await app.get(AuditRepository).insertMany([
      {
        _id: new Types.ObjectId(),
        at: clock.now(),
        who: { kind: 'command', id: 'create-staff', name: 'npm run admin' },
        action: 'staff.create',
        subject,
        about: [subjectKey(subject)],
        details: { email, name, role },
      },
    ]);
  } finally {
    await app.close();
  }
  say(`${email} may sign in as ${role}.`);
  if (given === undefined) say(`The password is shown this once: ${password}`);
}
