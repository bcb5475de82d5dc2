import { readCommandLine, UsageError } from './options.js';

const KEY = 'admin-key';

it('has a default for everything but the admin key', () => {
  expect(readCommandLine([], KEY)).toEqual({
    simulator: {
      bottles: 100,
      speed: 60,
      target: 'http://127.0.0.1:3000/',
      support: 'http://127.0.0.1:3001/',
      adminToken: KEY,
      seed: '1',
      concurrency: 64,
    },
  });
});

it('takes what it is given, the key of the command line first', () => {
  const given =
    '--bottles 1000 --speed 0.5 --target https://device.example --admin-token other --duration 90s --seed x --concurrency 8 --log-acks a.jsonl';
  expect(readCommandLine(given.split(' '), KEY)).toEqual({
    simulator: {
      bottles: 1000,
      speed: 0.5,
      target: 'https://device.example/',
      support: 'https://device.example:444/',
      adminToken: 'other',
      seed: 'x',
      concurrency: 8,
    },
    duration: 90_000,
    logAcks: 'a.jsonl',
  });
});

it.each([
  [['--bottles', '0'], '--bottles must be a whole number above 0'],
  [['--bottles', '1.5'], '--bottles must be a whole number above 0'],
  [['--speed', 'fast'], '--speed must be a number above 0'],
  [['--target', 'localhost:3000'], '--target must be an address'],
  [['--duration', '5'], '--duration must be a time'],
  [['--colour', 'red'], '--colour'],
  [['extra'], 'extra'],
])('%j is refused by name', (args, message) => {
  expect(() => readCommandLine(args, KEY)).toThrow(UsageError);
  expect(() => readCommandLine(args, KEY)).toThrow(message);
});

it('asks for an admin key, and does not need one for help', () => {
  expect(() => readCommandLine([])).toThrow('ADMIN_TOKEN');
  expect(readCommandLine(['--help'])).toBeUndefined();
});
