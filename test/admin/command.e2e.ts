import { verifyPassword } from '#platform';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { runAdmin } from '../../apps/admin/src/run-admin.js';
import { newDatabase, type TestDatabase } from '../../tools/harness/database.js';

const MAIN = join(import.meta.dirname, '../../dist/apps/admin/src/main.js');

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** The command, in this process. */
async function admin(args: string[], env: NodeJS.ProcessEnv = {}, input = ''): Promise<Ended> {
  const ended = { stdout: '', stderr: '' };
  const code = await runAdmin(args, {
    env,
    input: Readable.from([input]),
    say: (text) => (ended.stdout += `${text}\n`),
    note: (text) => (ended.stderr += `${text}\n`),
  });
  return { code, ...ended };
}

/** The compiled command, as `npm run admin` starts it. */
function adminProcess(args: string[], env: NodeJS.ProcessEnv = {}, input = ''): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env['PATH'], ...env }, timeout: 30_000 };
    const child = execFile(process.execPath, [MAIN, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
    child.stdin!.end(input);
  });
}

describe('the admin command', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await newDatabase('admin');
  });

  afterAll(() => database?.drop());

  it('does not shard a replica set: says so, changes nothing, exits 1', async () => {
    const { code, stdout, stderr } = await admin(['shard'], { MONGODB_URI: database.uri });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('not a mongos');
    expect(await database.db.listCollections().toArray()).toEqual([]);
  });

  describe('create-staff', () => {
    const staff = (email: string, ...more: string[]) => [
      'create-staff',
      '--email',
      email,
      '--role',
      'admin',
      ...more,
    ];
    const found = (email: string) => database.db.collection('staff').findOne({ email });

    it('makes an account, and shows its password once', async () => {
      const { code, stdout } = await admin(staff('Carol@example.org'), { MONGODB_URI: database.uri });
      expect(code).toBe(0);
      const [, password] = /once: (\S+)\n$/.exec(stdout)!;
      const account = (await found('carol@example.org'))!;
      expect(account).toMatchObject({
        role: 'admin',
        name: 'Carol@example.org',
        must_change_password: true,
      });
      expect(await verifyPassword(account['password_hash'] as string, password!)).toBe(true);

      expect(await database.db.collection('audit').findOne({ action: 'staff.create' })).toMatchObject({
        who: { kind: 'command' },
        about: [`staff:${account['_id'].toHexString()}`],
      });

      const again = await admin(staff('carol@example.org'), { MONGODB_URI: database.uri });
      expect(again.code).toBe(1);
      expect(again.stderr).toContain('has an account already');
    });

    it('takes the password from the standard input', async () => {
      const sent = 'correct horse battery\nand something else\n';
      const args = staff('dora@example.org', '--name', 'Dora', '--password-stdin');
      const { code, stdout } = await adminProcess(args, { MONGODB_URI: database.uri }, sent);
      expect(code).toBe(0);
      expect(stdout).not.toContain('horse');
      const account = (await found('dora@example.org'))!;
      expect(await verifyPassword(account['password_hash'] as string, 'correct horse battery')).toBe(true);
    });

    it.each(['', 'short\n'])('refuses the password %j', async (sent) => {
      const args = staff('emil@example.org', '--password-stdin');
      const { code, stderr } = await admin(args, { MONGODB_URI: database.uri }, sent);
      expect(code).toBe(1);
      expect(stderr).toContain('at least 12 characters');
      expect(await found('emil@example.org')).toBeNull();
    });
  });

  it('resets a second factor, and signs the person out', async () => {
    const [staff, sessions] = [database.db.collection('staff'), database.db.collection('staff_sessions')];
    const factor = { secret: 'x', last_step: 1, recovery_hashes: [], since: new Date(0) };
    const { insertedId } = await staff.insertOne({ email: 'finn@example.org', second_factor: factor });
    await sessions.insertOne({ staff_id: insertedId, token_hash: 'x' });
    const reset = (email: string) =>
      admin(['reset-second-factor', '--email', email], { MONGODB_URI: database.uri });
    expect((await reset('Finn@example.org')).code).toBe(0);
    expect(await staff.findOne({ _id: insertedId })).not.toHaveProperty('second_factor');
    expect(await sessions.countDocuments({ staff_id: insertedId })).toBe(0);
    expect(
      await database.db.collection('audit').findOne({ action: 'staff.reset_second_factor' }),
    ).toMatchObject({ who: { kind: 'command' }, subject: { id: insertedId.toHexString() } });
    expect((await reset('nobody@example.org')).stderr).toContain('has no account');
  });

  it('verifies the audit, and names an entry that was changed', async () => {
    const env = { MONGODB_URI: database.uri };
    await admin(['create-staff', '--email', 'gina@example.org', '--role', 'viewer'], env);
    const { code, stdout } = await admin(['audit', 'verify'], env);
    expect(code).toBe(0);
    const [, last] = /^The audit is intact. Last entry: (\S+)\n$/.exec(stdout)!;
    const audit = database.db.collection('audit');
    const { seq } = (await audit.findOneAndUpdate(
      {},
      { $set: { action: 'staff.invented' } },
      { sort: { seq: -1 } },
    ))!;
    const after = await admin(['audit', 'verify', '--kept', last!], env);
    expect(after.code).toBe(1);
    expect(after.stdout).toMatch(
      new RegExp(`^entry ${seq}, .*staff.invented by npm run admin.* was changed\n$`),
    );
  });

  it('verifies an erasure: names each place that has something, the oplog included', async () => {
    const env = { MONGODB_URI: database.uri };
    const verify = () => admin(['erasure', 'verify', 'Hanna (2)'], env);
    const contacts = database.db.collection<{ _id: string }>('contacts');
    await contacts.insertMany([{ _id: 'hanna (2)' }, { _id: 'johanna (2)' }, { _id: 'hanna (2)4' }]);
    const found = await verify();
    expect(found.code).toBe(1);
    expect(found.stdout).toMatch(/^This person was not erased/);
    expect(found.stdout).toMatch(/^contacts: 1 document$/m);
    expect(found.stderr).toContain('still named in these collections');

    await contacts.deleteOne({ _id: 'hanna (2)' });
    const erased = await verify();
    expect(erased.code).toBe(1);
    expect(erased.stdout).not.toContain('contacts');
    expect(erased.stdout).toMatch(
      /^oplog: 2 entries, the last of \S+Z\. At the rate since \S+Z it is overwritten about \d{4}-\d\d-\d\d\.$/m,
    );
    expect(erased.stderr).toContain('in the oplog, and nowhere else');

    const nobody = await admin(['erasure', 'verify', 'nobody-of-this-name'], env);
    expect(nobody).toMatchObject({ code: 0, stderr: '' });
    expect(nobody.stdout).toMatch(/^oplog: nothing\nNothing names the person any more\.$/m);
  });

  it('says when no server answers, without the address', async () => {
    const uri = 'mongodb://someone:secret@127.0.0.1:9/x?serverSelectionTimeoutMS=500';
    const { code, stderr } = await admin(['shard'], { MONGODB_URI: uri });
    expect(code).toBe(1);
    expect(stderr).toContain('no server answers');
    expect(stderr).not.toContain('secret');
  });

  it.each([
    [['shard'], {}, 'MONGODB_URI must be set'],
    [[], {}, 'give a command'],
  ])('exits 2 for %j %j', async (args, env, message) => {
    const { code, stderr } = await adminProcess(args, env);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('has help', async () => {
    const { code, stdout } = await admin(['--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('npm run shard');
  });
});
