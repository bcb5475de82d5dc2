import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blocksOf } from '../docs/blocks.js';
import { need } from './build.js';

const folder = mkdtempSync(join(tmpdir(), 'pillwatch-documented-'));
afterAll(() => rmSync(folder, { recursive: true }));

const blocks = (file: string, language: string): string[] =>
  blocksOf(file)
    .filter((block) => block.language === language)
    .map(({ text }) => text);

it.each(blocks('docs/device-integration.md', 'c'))(
  'the guide’s calls are those of the client, block %#',
  (text) => {
    const file = join(folder, 'calls.c');
    const before = '#include "pillwatch.h"\nvoid calls(void);\n';
    const variables = 'static struct pw_client client;\nstatic struct pw_flash flash;\n';
    writeFileSync(file, `${before}${variables}void calls(void) {\n${text}\n(void)wait_ms;\n}\n`);
    const flags = [
      '-std=c99',
      '-Wall',
      '-Wextra',
      '-Werror',
      '-pedantic',
      '-fsyntax-only',
      '-I',
      'clients/c',
    ];
    expect(spawnSync(need('gcc'), [...flags, file], { encoding: 'utf8' }).stderr).toBe('');
  },
);

it.each(blocks('clients/README.md', 'sh'))('README: builds as written, block %#', (text) => {
  const command = text.replace('-o bottle', `-o ${join(folder, 'bottle')}`);
  const { status, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
