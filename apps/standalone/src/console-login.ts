import { StaffRepository } from '#persistence';
import { Clock, hashPassword, verifyPassword } from '#platform';
import type { INestApplicationContext } from '@nestjs/common';
import { Types } from 'mongoose';
import { type KeptSecret, keptSecret } from './kept-secret.js';

/** With what to sign in to the console. */
export interface ConsoleLogin {
  email: string;
  password: KeptSecret;
}

const EMAIL = 'admin@localhost';

/**
 * An admin's account for the console, so that there is one to sign in with: made when the database has no staff.
 *
 * @returns undefined when staff there have accounts of their own, or have changed this one's password.
 */
export async function consoleLogin(
  app: INestApplicationContext,
  dataDir: string,
): Promise<ConsoleLogin | undefined> {
  const staff = app.get(StaffRepository);
  const password = await keptSecret(dataDir, 'console-password');
  if ((await staff.findAll()).length === 0) {
    await staff.insert({
      _id: new Types.ObjectId(),
      email: EMAIL,
      name: 'Admin',
      role: 'admin',
      password_hash: await hashPassword(password.value),
      created_at: app.get(Clock).now(),
    });
  }
  const account = await staff.findByEmail(EMAIL);
  const works = account && !account.disabled && (await verifyPassword(account.password_hash, password.value));
  return works ? { email: EMAIL, password } : undefined;
}
