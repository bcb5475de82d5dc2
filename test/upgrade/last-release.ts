import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const RELEASE = /^## (\d+\.\d+\.\d+) \(([0-9a-f]{7,40})\)$/m;
const INSTALL = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/** A release, as its heading in the changelog names it: `## 0.1.0 (a1715a0)`. */
export interface Release {
  version: string;
  commit: string;
}

/** The newest release in CHANGELOG.md whose commit is known. @throws if there is none */
export async function lastRelease(): Promise<Release> {
  const [, version, commit] = RELEASE.exec(await readFile('CHANGELOG.md', 'utf8')) ?? [];
  if (version === undefined || commit === undefined) throw new Error('CHANGELOG.md names no release');
  return { version, commit };
}

/** Whether git has this commit here; of a shallow clone, the rest is fetched. */
export async function isAvailable(commit: string): Promise<boolean> {
  if (await hasCommit(commit)) return true;
  await run('git', ['fetch', '--quiet', '--unshallow']).catch(() => undefined);
  return hasCommit(commit);
}

/** The services of a release, compiled in a folder of their own. */
export class BuiltRelease {
  private constructor(readonly folder: string) {}

  static async build({ commit }: Release): Promise<BuiltRelease> {
    const release = new BuiltRelease(await mkdtemp(join(tmpdir(), 'pillwatch-release-')));
    try {
      await release.compile(commit);
      return release;
    } catch (error) {
      await release.remove();
      throw error;
    }
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  private async compile(commit: string): Promise<void> {
    const sources = join(this.folder, 'sources.tar');
    await run('git', ['archive', '--output', sources, commit]);
    await run('tar', ['-xf', sources, '-C', this.folder]);
    const cwd = { cwd: this.folder };
    await run('npm', INSTALL, cwd);
    await mkdir(join(this.folder, 'dist'), { recursive: true });
    const compiler = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--noCheck'];
    await run(process.execPath, compiler, cwd);
  }
}

async function hasCommit(commit: string): Promise<boolean> {
  return run('git', ['cat-file', '-e', `${commit}^{commit}`]).then(
    () => true,
    () => false,
  );
}
