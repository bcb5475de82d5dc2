import type { mongo } from 'mongoose';

/** Accounts whose passwords a test has chosen are signed in with them: nobody has to change theirs first. */
export async function keepPasswords(db: mongo.Db): Promise<void> {
  await db
    .collection('staff')
    .updateMany({}, { $unset: { must_change_password: '', password_expires_at: '' } });
}
