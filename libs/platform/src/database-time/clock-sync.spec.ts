import { jest } from '@jest/globals';
import { Registry } from 'prom-client';
import { DatabaseClock } from '../clock.js';
import { HealthReports } from '../health/health-reports.js';
import { ClockSync } from './clock-sync.js';

const START = Date.parse('2026-03-02T08:00:00Z');

beforeEach(() => void jest.useFakeTimers({ now: START }));
afterEach(() => void jest.useRealTimers());

it.each([
  [5_000, false],
  [5_001, true],
  [-5_000, false],
  [-5_001, true],
])("a machine's clock that is %d ms ahead is reported: %s", async (ahead, isOff) => {
  const clock = new DatabaseClock();
  const database = { readTime: async () => new Date(START - ahead) };
  const reports = new HealthReports();
  const sync = new ClockSync(clock, database, reports, new Registry());
  await sync.onModuleInit();
  sync.onApplicationShutdown();
  expect({ offset: sync.offset, isOff: sync.isOff }).toEqual({ offset: ahead, isOff });
});
