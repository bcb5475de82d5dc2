import { readCommandLine, UsageError } from './command-line.js';

describe('the command line', () => {
  it('knows shard', () => expect(readCommandLine(['shard'])).toEqual({ command: 'shard' }));

  it('knows create-staff', () => {
    expect(readCommandLine('create-staff --email Carol@Example.org --role admin'.split(' '))).toEqual({
      command: 'create-staff',
      email: 'carol@example.org',
      name: 'Carol@Example.org',
      role: 'admin',
      passwordFromInput: false,
    });
    const more = [
      'create-staff',
      '--email',
      'c@example.org',
      '--role',
      'viewer',
      '--name',
      'Carol',
      '--password-stdin',
    ];
    expect(readCommandLine(more)).toMatchObject({ name: 'Carol', role: 'viewer', passwordFromInput: true });
  });

  it('knows timeseries', () => {
    expect(readCommandLine(['timeseries', 'verify'])).toEqual({ command: 'timeseries', task: 'verify' });
    const line = 'timeseries rebuild --from 2026-03-02 --to 2026-03-02T10:30:00Z';
    expect(readCommandLine(line.split(' '))).toEqual({
      command: 'timeseries',
      task: 'rebuild',
      from: new Date('2026-03-02T00:00:00Z'),
      to: new Date('2026-03-02T10:30:00Z'),
    });
  });

  it('knows audit', () => {
    expect(readCommandLine(['audit', 'verify'])).toEqual({ command: 'audit', task: 'verify' });
    const hash = 'x'.repeat(43);
    expect(readCommandLine(['audit', 'verify', '--kept', `17:${hash}`])).toMatchObject({
      kept: { seq: 17, hash },
    });
  });

  it.each([['--help'], ['shard --help']])('gives help for %s', (line) =>
    expect(readCommandLine(line.split(' '))).toBeUndefined(),
  );

  it.each([
    ['', 'command'],
    ['resize', 'resize'],
    ['timeseries', 'verify'],
    ['timeseries mend', 'verify'],
    ['timeseries verify --from yesterday', '--from'],
    ['timeseries verify --from 2026-02-31', '--from'],
    ['timeseries verify --to 2026-03-02T10:00', '--to'],
    ['timeseries verify --from 2026-03-02 --to 2026-03-02', '--from'],
    ['shard now', 'now'],
    ['audit', 'verify'],
    ['audit verify --kept 17', '--kept'],
    ['create-staff --role admin', '--email'],
    ['create-staff --email carol --role admin', '--email'],
    ['create-staff --email carol@example.org', '--role'],
    ['create-staff --email carol@example.org --role boss', '--role'],
    ['create-staff --email carol@example.org --role admin --password secret', '--password'],
  ])('refuses "%s" and names what is wrong', (line, named) => {
    const read = (): unknown => readCommandLine(line.split(' ').filter(Boolean));
    expect(read).toThrow(UsageError);
    expect(read).toThrow(named);
  });
});
