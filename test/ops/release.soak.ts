import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const WORKFLOWS = '.github/workflows';

describe('a release', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

  it('is made only of the version that its tag names', () => {
    const { status, stderr } = spawnSync('scripts/release-files.sh', ['v0.0.0'], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain(`package.json has version ${version}`);
  });

  it('lists every package that a service may load, and no other', () => {
    const text = execFileSync('scripts/sbom.sh', { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
    const { bomFormat, components } = JSON.parse(text) as {
      bomFormat: string;
      components: { name: string; version: string; hashes?: unknown[] }[];
    };
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { dev?: true; devOptional?: true; optional?: true; version: string }>;
    };
    const named = new Set(components.map(({ name }) => name));
    const needed = Object.entries(packages)
      .filter(([path, { dev, devOptional, optional }]) => path !== '' && !dev && !devOptional && !optional)
      .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
    expect(bomFormat).toBe('CycloneDX');
    expect(needed.length).toBeGreaterThan(50);
    expect(needed.filter((name) => !named.has(name))).toEqual([]);
    expect(named.has('jest')).toBe(false);
    expect(components.filter(({ hashes }) => !hashes?.length)).toEqual([]);
  });

  it('has no package that reports its installation', () => {
    expect(readFileSync('package-lock.json', 'utf8')).not.toMatch(
      /"hasInstallScript": true[^}]*scarf|scarf-js/,
    );
    expect(readFileSync('node_modules/@scarf/scarf/package.json', 'utf8')).toContain(
      '@favware/skip-dependency',
    );
  });

  it('and its checks run only actions whose content is fixed', () => {
    const used = readdirSync(WORKFLOWS).flatMap((file) =>
      [...readFileSync(join(WORKFLOWS, file), 'utf8').matchAll(/uses: *(.*)$/gm)].map(
        ([, action]) => action!,
      ),
    );
    expect(used.length).toBeGreaterThan(3);
    expect(used.filter((action) => !/^[\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)*$/.test(action))).toEqual([]);
  });
});
