import { readCommandLine, UsageError } from './command-line.js';

describe('the command line of sizing', () => {
  it("defaults to the lab's fleet", () =>
    expect(readCommandLine([])).toEqual({
      fleet: { users: 10e6, bottlesPerUser: 3, dosesPerDay: 2 },
      shardBytes: 2e12,
      write: false,
      typed: '',
    }));

  it('takes every option', () =>
    expect(
      readCommandLine(
        '--users 5e3 --bottles-per-user 1.5 --doses-per-day 4 --shard-size 500GB --write'.split(' '),
      ),
    ).toEqual({
      fleet: { users: 5_000, bottlesPerUser: 1.5, dosesPerDay: 4 },
      shardBytes: 5e11,
      write: true,
      typed: '--users 5e3 --bottles-per-user 1.5 --doses-per-day 4 --shard-size 500GB --write',
    }));

  it('gives help', () => expect(readCommandLine(['--help'])).toBeUndefined());

  it.each([
    ['--users none', '--users'],
    ['--users 0', '--users'],
    ['--doses-per-day -1', '--doses-per-day'],
    ['--shard-size big', '--shard-size'],
    ['--bottles 3', '--bottles'],
  ])('refuses "%s" and names what is wrong', (line, named) => {
    const read = (): unknown => readCommandLine(line.split(' '));
    expect(read).toThrow(UsageError);
    expect(read).toThrow(named);
  });
});
