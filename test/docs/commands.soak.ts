/* oxlint-disable no-console -- the counts of the documentation's commands */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { newDatabase, type TestDatabase } from '../../tools/harness/database.js';
import { eventually } from '../../tools/harness/eventually.js';
import { blocksOf } from './blocks.js';
import { documentedCommands, elsewhere, type Command } from './commands.js';

const COMMANDS = documentedCommands();
const OWN = COMMANDS.filter((command) => !elsewhere(command));
/** One script: `npm start`, then the first alert by `curl`. */
const isOfReadme = ({ where, text }: Command): boolean =>
  where.startsWith('README.md') && /^(export|TOKEN=|curl|OPEN_BOTTLE_AFTER=|npm start)/.test(text);
const isDemo = ({ text }: Command): boolean => text === 'npm run demo';

/** What `npm start` prints when it is ready, and how long it may take. Milliseconds. */
const READY = '  Try:';
const READY_WITHIN = 180_000;

/** A command that runs until it is interrupted, with its services on free ports. */
class Running {
  output = '';
  private readonly child: ChildProcess;

  constructor(command: string, folder: string) {
    const ports = { DEVICE_API_PORT: '0', SUPPORT_API_PORT: '0', NOTIFIER_PORT: '0' };
    const env = { ...process.env, ...ports, DATA_DIR: folder };
    // the group of the shell, npm and the services, which Ctrl-C would reach
    this.child = spawn('sh', ['-c', command], { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.child.stdout!, this.child.stderr!])
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
  }

  prints(text: string, within = READY_WITHIN): Promise<void> {
    const check = (): void => {
      if (!this.output.includes(text)) throw new Error(`${text} is not in\n${this.output}`);
    };
    return eventually(check, within, 500);
  }

  addressOf(service: string): string {
    return new RegExp(`^  ${service} +(http\\S+)`, 'm').exec(this.output)![1]!;
  }

  async interrupt(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = once(this.child, 'close');
    process.kill(-this.child.pid!, 'SIGINT');
    await ended;
  }
}

describe('the commands of the documentation', () => {
  let folder: string;
  let started: Running;
  let database: TestDatabase;

  beforeAll(async () => {
    database = await newDatabase('documented');
    folder = await mkdtemp(join(tmpdir(), 'pillwatch-documented-'));
    started = new Running(OWN.find(({ text }) => text.endsWith(' npm start'))!.text, folder);
    await started.prints(READY);
  });
  afterAll(async () => {
    await started?.interrupt();
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs a script as it stands, but for the addresses, and for what stands for the reader's own. */
  async function run(script: string, own: Record<string, string> = {}): Promise<string> {
    const replaced = {
      'http://localhost:3001': started.addressOf('support-api'),
      'http://localhost:3000': started.addressOf('device-api'),
      '.data/': `${folder}/`,
      // as docs/operations.md says: it finds the database of the npm start that runs
      'MONGODB_URI=... ': '',
      ...own,
    };
    const text = Object.entries(replaced).reduce(
      (before, [name, value]) => before.replaceAll(name, value),
      script,
    );
    const env = { ...process.env, DATA_DIR: folder, ADMIN_TOKEN: await adminToken() };
    return new Promise((resolve, reject) => {
      execFile('sh', ['-ec', text], { env, maxBuffer: 2 ** 24 }, (error, stdout, stderr) =>
        error ? reject(new Error(`${text}\n${stdout}${stderr}`)) : resolve(stdout),
      );
    });
  }

  const adminToken = async (): Promise<string> =>
    (await readFile(join(folder, 'admin-token'), 'utf8')).trim();

  async function call<T>(method: string, path: string): Promise<T> {
    const headers = { authorization: `Bearer ${await adminToken()}` };
    const answer = await fetch(`${started.addressOf('support-api')}${path}`, { method, headers });
    expect(answer.ok).toBe(true);
    return (await answer.json()) as T;
  }

  /** What stands for the reader's own in a command, as far as it is in this one. */
  async function ownOf({ text }: Command): Promise<Record<string, string>> {
    const own: Record<string, string> = { ADDRESS: 'carol@example.org' };
    if (text.includes('USER_ID')) {
      await call('DELETE', '/v1/people/willcross1024');
      // it exits with 1 until the oplog is overwritten
      own['USER_ID'] = "willcross1024 2>&1 | grep 'in the oplog, and nowhere else'";
    }
    // it takes no other database than that of MONGODB_URI
    if (text === 'npm run migrate') own['npm run migrate'] = `MONGODB_URI='${database.uri}' npm run migrate`;
    if (text.includes('PLACE:HASH')) {
      own['PLACE:HASH'] = (await call<{ head: string }>('GET', '/v1/audit/head')).head;
    }
    if (text.includes('BOTTLE_ID')) {
      own['BOTTLE_ID'] = (await call<{ bottle_id: string }>('POST', '/v1/canaries')).bottle_id;
      own['https://SUPPORT_API'] = started.addressOf('support-api');
    }
    return own;
  }

  it('README.md: the first alert is there within seconds, as written', async () => {
    const [register, read] = blocksOf('README.md').filter(({ text }) => text.includes('curl'));
    const { id } = JSON.parse(await run(register!.text)) as { id: string };
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    await started.prints('raised bottle_open', 60_000);
    const { items } = JSON.parse(await run(read!.text)) as { items: object[] };
    expect(items).toMatchObject([{ kind: 'bottle_open', user_id: 'willcross1024', state: 'open' }]);
  });

  it.each(OWN.filter((command) => !isOfReadme(command) && !isDemo(command)))(
    'exit with 0: $where $text',
    async (command) => {
      const output = await run(command.text, await ownOf(command));
      expect(output).not.toMatch(/"status": ?[45]\d\d/);
    },
  );

  it('npm run demo: raises the three kinds of alerts', async () => {
    const demo = new Running('npm run demo', join(folder, 'demo'));
    try {
      for (const kind of ['missed_dose', 'bottle_open', 'bottle_silent'])
        await demo.prints(`>>> ${kind} raised`, READY_WITHIN * 2);
    } finally {
      await demo.interrupt();
    }
  });

  it('are counted', () => {
    const others = COMMANDS.flatMap((command) => elsewhere(command) ?? []);
    const exempt = others.flatMap((other) => ('exempt' in other ? other.exempt : []));
    console.log(
      `commands: ${COMMANDS.length}, run here: ${OWN.length}, by other tests: ${others.length - exempt.length}, ` +
        `not run: ${exempt.length}`,
    );
    for (const reason of new Set(exempt))
      console.log(`  ${exempt.filter((each) => each === reason).length}: ${reason}`);
    expect(COMMANDS.length - exempt.length).toBeGreaterThan(exempt.length);
  });
});
