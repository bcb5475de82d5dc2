import type { Page } from 'playwright-core';
import { launchChromium } from '../../browser/chromium.js';
import { atMost, type Line } from '../report/line.js';
import { percentile, spread } from '../report/spread.js';
import { LARGE_FLEET } from '../stage/big-fleet.js';
import { consoleFleet, lastMinute, SHOWN } from '../stage/console-fleet.js';
import { type QueryCost, queryCosts } from '../stage/query-costs.js';
import type { ServerProcess } from '../stage/server-process.js';
import type { Stage } from '../stage/stage.js';

/** `BENCH_BOTTLES=100000 npm run bench -- console` measures a smaller fleet. */
const BOTTLES = Number(process.env['BENCH_BOTTLES'] ?? LARGE_FLEET);
const REQUESTS = 100;
const VISITS = 5;
const ADMIN_TOKEN = 'a-token-for-the-benchmark';
const PASSWORD = 'correct horse battery staple';
const EMAIL = 'bench@example.org';

/** What the pages ask for. */
const LISTS: Record<string, string> = {
  fleet: '/v1/fleet',
  bottles: '/v1/bottles?limit=50',
  'bottles that are silent': '/v1/bottles?limit=50&status=silent',
  'bottles that are late': '/v1/bottles?limit=50&status=late',
  'bottles that are in order': '/v1/bottles?limit=50&status=ok',
  'bottles of a medication': '/v1/bottles?limit=50&medication=Metformin',
  'silent bottles of a medication': '/v1/bottles?limit=50&medication=Cordrazine&status=silent',
  'bottles of an owner': '/v1/bottles?limit=50&user_id=willcross7',
  'alerts that need a person': '/v1/alerts?limit=50&order=needs_person',
  'alerts of a kind that need a person': '/v1/alerts?limit=50&order=needs_person&kind=bottle_silent',
  'alerts that are over': '/v1/alerts?limit=50&state=resolved',
  alerts: '/v1/alerts?limit=50',
  messages: '/v1/deliveries?limit=50',
  'messages that are dead': '/v1/deliveries?limit=50&status=dead',
  audit: '/v1/audit?limit=50',
  'a bottle': `/v1/bottles/${SHOWN}`,
  'its actions': `/v1/bottles/${SHOWN}/actions?limit=50`,
  'its heartbeats': `/v1/bottles/${SHOWN}/heartbeats?limit=50`,
  'its doses': `/v1/bottles/${SHOWN}/doses?limit=50`,
  'its timeline': `/v1/bottles/${SHOWN}/timeline?limit=50`,
};

/** The pages, and what is there when they can be used. */
const PAGES: Record<string, { path: string; usable: (page: Page) => Promise<unknown> }> = {
  fleet: { path: '/', usable: (page) => page.getByText(/^[\d,]+ bottles$/).waitFor() },
  find: { path: '/bottles', usable: (page) => page.locator('tbody tr').nth(49).waitFor() },
  'find, silent': {
    path: '/bottles?status=silent',
    usable: (page) => page.locator('tbody tr').nth(49).waitFor(),
  },
  bottle: {
    path: `/bottles/${SHOWN}`,
    usable: (page) => page.getByRole('region', { name: 'Status' }).waitFor(),
  },
  alerts: { path: '/alerts', usable: (page) => page.locator('li[data-row]').nth(49).waitFor() },
  messages: { path: '/messages', usable: (page) => page.locator('tbody tr').nth(49).waitFor() },
  audit: { path: '/audit', usable: (page) => page.locator('tbody tr').first().waitFor() },
};

/** Lines 18 to 20: the console over a large fleet with 10,000 open alerts. */
export async function consolePages(stage: Stage): Promise<Line[]> {
  const db = await consoleFleet(stage, BOTTLES, new Date());
  const server = await stage.supportApi(db, { ADMIN_TOKEN });
  try {
    await lastMinute(db, BOTTLES);
    await ask(server, '/v1/staff', { email: EMAIL, name: 'Bench', role: 'admin', password: PASSWORD });
    const costs = await queryCosts(db, async () => {
      for (const path of Object.values(LISTS)) await ask(server, path);
    });
    const p95 = await listTimes(server);
    const usable = await pageTimes(server);
    const fleet = `${BOTTLES.toLocaleString('en')} bottles, 10,000 open alerts`;
    const medians = Object.values(usable).map((times) => spread(times).median);
    return [
      {
        ...atMost(
          18,
          `the console's slowest page usable; ${fleet}`,
          1_000,
          spread([Math.max(...medians)]),
          'ms',
        ),
        figures: Object.fromEntries(
          Object.entries(usable).map(([name, times]) => [
            name,
            `${spread(times).median.toFixed(0)} ms, at most ${spread(times).max.toFixed(0)} ms of ${VISITS}`,
          ]),
        ),
      },
      {
        ...atMost(
          19,
          `the slowest list's p95; ${fleet}`,
          100,
          spread([Math.max(...Object.values(p95))]),
          'ms',
        ),
        figures: Object.fromEntries(Object.entries(p95).map(([name, ms]) => [name, `${ms.toFixed(1)} ms`])),
      },
      examined(costs, fleet),
    ];
  } finally {
    await server.stop();
    await db.dropDatabase();
  }
}

/** One entry more than twice what is returned shows that a range has ended. */
function examined(costs: readonly QueryCost[], fleet: string): Line {
  const reads = costs.filter(({ counts }) => !counts);
  const ratio = ({ examined, returned }: QueryCost): number =>
    Math.max(0, examined - 1) / Math.max(1, returned);
  const worst = reads.toSorted((one, other) => ratio(other) - ratio(one))[0]!;
  const counted = costs.filter(({ counts }) => counts);
  return {
    ...atMost(20, `most that a query examines ÷ returns; ${fleet}`, 2, spread([ratio(worst)])),
    figures: {
      queries: String(reads.length),
      'the worst': `${worst.collection}: ${worst.examined} for ${worst.returned}`,
      'counts, which read what they count': `${counted.length}, at most ${Math.max(0, ...counted.map(({ examined }) => examined)).toLocaleString('en')} entries of an index`,
    },
  };
}

async function ask(server: ServerProcess, path: string, body?: object): Promise<void> {
  const answer = await fetch(server.url + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${ADMIN_TOKEN}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
}

/** The p95 of each list, one request after the other. Milliseconds. */
async function listTimes(server: ServerProcess): Promise<Record<string, number>> {
  const p95: Record<string, number> = {};
  for (const [name, path] of Object.entries(LISTS)) {
    const times: number[] = [];
    for (let request = 0; request < REQUESTS; request += 1) {
      const start = performance.now();
      await ask(server, path);
      times.push(performance.now() - start);
    }
    p95[name] = percentile(
      times.sort((one, other) => one - other),
      0.95,
    );
  }
  return p95;
}

/** How long until each page can be used, in a browser that has been here before. Milliseconds. */
async function pageTimes(server: ServerProcess): Promise<Record<string, number[]>> {
  const browser = await launchChromium();
  try {
    const context = await browser.newContext({ baseURL: server.url });
    const answer = await context.request.post('/v1/session', { data: { email: EMAIL, password: PASSWORD } });
    if (!answer.ok()) throw new Error(`sign in: ${answer.status()}`);
    const page = await context.newPage();
    const times: Record<string, number[]> = {};
    for (const [name, { path, usable }] of Object.entries(PAGES)) {
      const visit = async (): Promise<number> => {
        const start = performance.now();
        await page.goto(path, { waitUntil: 'commit' });
        await usable(page);
        return performance.now() - start;
      };
      await visit();
      times[name] = [];
      for (let count = 0; count < VISITS; count += 1) times[name].push(await visit());
    }
    return times;
  } finally {
    await browser.close();
  }
}
