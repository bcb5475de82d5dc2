import { keepPasswords } from '../../harness/staff.js';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { setTimeout as sleep } from 'node:timers/promises';
import { launchChromium } from '../../browser/chromium.js';
import { type QueryCost, queryCosts, readPerReturned } from '../../harness/query-costs.js';
import { atMost, type Line } from '../report/line.js';
import { percentile, spread } from '../report/rounds.js';
import { bigFleetId, bigFleetOwner, LARGE_FLEET } from '../fixtures/big-fleet.js';
import { consoleFleet, OPEN_ALERTS, SHOWN } from '../fixtures/console-fleet.js';
import { FINDABLE_SHARE, namedPerson } from '../fixtures/console-search.js';
import type { ServiceProcess } from '../../harness/service-process.js';
import type { BenchHarness } from '../harness.js';

/** `BENCH_BOTTLES=100000 npm run bench -- console` measures a smaller fleet. */
const BOTTLES = Number(process.env['BENCH_BOTTLES'] ?? LARGE_FLEET);
const REQUESTS = 100;
const VISITS = 5;
/** A browser rests that in so many milliseconds uses no more than such a part of a core. */
const REST_MS = 200;
const IDLE = 0.1;
const ADMIN_TOKEN = 'a-token-for-the-benchmark-0123456789';
const PASSWORD = 'correct horse battery staple';
const EMAIL = 'bench@example.org';

/** The number of a bottle that can be found, another each time. */
const findable = (n: number): number => (n * 7_919 * FINDABLE_SHARE) % BOTTLES;

/** Somebody's name and phone number; of another one each time. */
function someone(n: number): { name: string; first: string; last: string; phone: string } {
  const { name = '', phone = '' } = namedPerson(n, BOTTLES);
  const [first = '', last = ''] = name.split(' ');
  return { name, first, last, phone };
}

/** Two letters in the wrong order. */
const misspelt = (text: string): string => text.slice(0, 2) + text[3] + text[2] + text.slice(4);

const search = (q: string): string => `/v1/search?q=${encodeURIComponent(q)}`;

/** A cursor somewhere in the order of owners: as the API makes it. */
function cursorOf(n: number): string {
  const owner = Buffer.from(bigFleetOwner(findable(n))).toString('base64url');
  const position = `bottles-user_id ${owner}  ${bigFleetId(findable(n))}`;
  return `&cursor=${Buffer.from(position).toString('base64url')}`;
}

/** What the pages ask for; the n-th time. */
const LISTS: Record<string, string | ((n: number) => string)> = {
  fleet: '/v1/fleet',
  bottles: '/v1/bottles?limit=50',
  'bottles that are silent': '/v1/bottles?limit=50&status=silent',
  'bottles that are late': '/v1/bottles?limit=50&status=late',
  'bottles that are in order': '/v1/bottles?limit=50&status=ok',
  'bottles of a medication': '/v1/bottles?limit=50&medication=Metformin',
  'silent bottles of a medication': '/v1/bottles?limit=50&medication=Cordrazine&status=silent',
  'bottles, newest first': '/v1/bottles?limit=50&sort=-registered',
  'bottles by owner': (n) => `/v1/bottles?limit=50&sort=user_id${cursorOf(n)}`,
  'bottles by owner, reversed': '/v1/bottles?limit=50&sort=-user_id',
  'bottles, longest silent first': '/v1/bottles?limit=50&status=silent&sort=last_seen',
  'bottles, last to fall silent first': '/v1/bottles?limit=50&status=silent&sort=-last_seen',
  'bottles by next dose': '/v1/bottles?limit=50&sort=next_dose',
  'bottles by next dose, reversed': '/v1/bottles?limit=50&sort=-next_dose',
  'bottles by battery': '/v1/bottles?limit=50&sort=battery',
  'bottles by battery, reversed': '/v1/bottles?limit=50&sort=-battery',
  'silent bottles, newest first': '/v1/bottles?limit=50&status=silent&sort=-registered',
  'a person': (n) => `/v1/people/${bigFleetOwner(findable(n))}`,
  'their doses': (n) => `/v1/people/${bigFleetOwner(findable(n))}/doses?limit=50`,
  'their messages': (n) => `/v1/people/${bigFleetOwner(findable(n))}/messages?limit=50`,
  'their report': (n) => `/v1/people/${bigFleetOwner(findable(n))}/report`,
  'search: a user’s id': (n) => `/v1/search?q=${bigFleetOwner(findable(n))}`,
  'search: the end of a bottle’s id': (n) => `/v1/search?q=${bigFleetId(findable(n)).slice(-8)}`,
  'search: a letter': (n) => search(String.fromCodePoint(97 + (n % 26))),
  'search: a first name, which thousands have': (n) => search(someone(n).first),
  'search: a name': (n) => search(someone(n).name),
  'search: half a name': (n) => search(someone(n).last.slice(0, 4)),
  'search: a misspelt name': (n) => search(misspelt(someone(n).last)),
  'search: a first name, and a misspelt one': (n) =>
    search(`${someone(n).first} ${misspelt(someone(n).last)}`),
  'search: the end of a phone number': (n) => search(someone(n).phone.slice(-6)),
  'search: a name and a medication': (n) => search(`${someone(n).last} metf`),
  'search: what matches nothing': (n) => `/v1/search?q=nothing${n}`,
  'bottles of an owner': '/v1/bottles?limit=50&user_id=willcross7',
  'find: a bottle’s id': (n) => `/v1/bottles?limit=50&q=${bigFleetId(findable(n))}`,
  'find: the end of an id': (n) => `/v1/bottles?limit=50&q=${bigFleetId(findable(n)).slice(-8)}`,
  'find: a user’s id': (n) => `/v1/bottles?limit=50&q=${bigFleetOwner(findable(n))}`,
  'find: part of a medication': '/v1/bottles?limit=50&q=tformi',
  'find: part of a medication, silent': '/v1/bottles?limit=50&q=tformi&status=silent',
  'find: a part that matches nothing': (n) => `/v1/bottles?limit=50&q=nothing${n}`,
  'find: a part that matches the whole fleet': '/v1/bottles?limit=50&q=willcross',
  'find: the same, silent': '/v1/bottles?limit=50&q=willcross&status=silent',
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
  'its adherence': `/v1/bottles/${SHOWN}/adherence`,
  'what comes in, by the second': '/v1/fleet/charts?series=live',
  'what came in within a day': '/v1/fleet/charts?series=reports',
};

/** A page, and what is there when it can be used. */
interface Shown {
  path: string;
  usable: (page: Page) => Promise<unknown>;
}

const PAGES: Record<string, Shown> = {
  fleet: { path: '/', usable: (page) => page.getByText(/^[\d,]+ bottles$/).waitFor() },
  find: { path: '/bottles', usable: (page) => page.locator('tbody tr').nth(49).waitFor() },
  'find, silent': {
    path: '/bottles?status=silent',
    usable: (page) => page.locator('tbody tr').nth(49).waitFor(),
  },
  'find, part of a medication': {
    path: '/bottles?q=tformi',
    usable: (page) => page.locator('tbody tr').nth(49).waitFor(),
  },
  bottle: {
    path: `/bottles/${SHOWN}`,
    usable: async (page) => {
      await page.getByRole('region', { name: 'Status' }).waitFor();
      await page.getByRole('region', { name: 'Activity' }).getByRole('listitem').first().waitFor();
    },
  },
  alerts: { path: '/alerts', usable: (page) => page.locator('li[data-row]').nth(49).waitFor() },
  messages: { path: '/messages', usable: (page) => page.locator('tbody tr').nth(49).waitFor() },
  register: { path: '/register', usable: (page) => page.getByLabel('Medication').first().waitFor() },
  staff: { path: '/staff', usable: (page) => page.locator('tbody tr').first().waitFor() },
  'API keys': {
    path: '/api-keys',
    usable: (page) => page.locator('main').getByRole('button').first().waitFor(),
  },
  audit: { path: '/audit', usable: (page) => page.locator('tbody tr').first().waitFor() },
};

/** Lines 18 to 20: the console over a large fleet with 10,000 open alerts. */
export async function consolePages(harness: BenchHarness): Promise<Line[]> {
  const began = performance.now();
  const db = await consoleFleet(harness, BOTTLES, new Date());
  console.log(`            (the fleet took ${((performance.now() - began) / 1_000).toFixed(0)} s)`);
  const server = await harness.supportApi(db, { ADMIN_TOKEN });
  try {
    await ask(server, '/v1/staff', { email: EMAIL, name: 'Bench', role: 'admin', password: PASSWORD });
    await keepPasswords(db);
    const costs = await queryCosts(db, async () => {
      for (const path of Object.values(LISTS)) await ask(server, pathOf(path, 0));
    });
    const p95 = await listTimes(server);
    const usable = await pageTimes(server);
    const fleet = `${BOTTLES.toLocaleString('en')} bottles, ${OPEN_ALERTS.toLocaleString('en')} open alerts`;
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

function examined(costs: readonly QueryCost[], fleet: string): Line {
  const reads = costs.filter(({ counts }) => !counts);
  const worst = reads.toSorted((one, other) => readPerReturned(other) - readPerReturned(one))[0]!;
  const read = ({ keys, documents }: QueryCost): number => Math.max(keys, documents);
  const counted = costs.filter(({ counts }) => counts);
  return {
    ...atMost(20, `most that a query examines ÷ returns; ${fleet}`, 2, spread([readPerReturned(worst)])),
    figures: {
      queries: String(reads.length),
      'the worst': `${worst.collection}: ${read(worst)} for ${worst.returned}`,
      'counts, which read what they count': `${counted.length}, at most ${Math.max(0, ...counted.map(read)).toLocaleString('en')} entries of an index`,
    },
  };
}

const pathOf = (path: string | ((n: number) => string), n: number): string =>
  typeof path === 'string' ? path : path(n);

async function ask(server: ServiceProcess, path: string, body?: object): Promise<void> {
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
async function listTimes(server: ServiceProcess): Promise<Record<string, number>> {
  const p95: Record<string, number> = {};
  for (const [name, path] of Object.entries(LISTS)) {
    const times: number[] = [];
    for (let request = 1; request <= REQUESTS; request += 1) {
      const start = performance.now();
      await ask(server, pathOf(path, request));
      times.push(performance.now() - start);
    }
    p95[name] = percentile(
      times.sort((one, other) => one - other),
      0.95,
    );
  }
  return p95;
}

/** How long until each page can be used, at a browser's first visit and at a later one. Milliseconds. */
async function pageTimes(server: ServiceProcess): Promise<Record<string, number[]>> {
  const browser = await launchChromium();
  try {
    const known = await browser.newContext({ baseURL: server.url });
    const answer = await known.request.post('/v1/session', { data: { email: EMAIL, password: PASSWORD } });
    if (!answer.ok()) throw new Error(`sign in: ${answer.status()}`);
    const signedIn = { baseURL: server.url, storageState: await known.storageState() };
    const page = await known.newPage();
    const times: Record<string, number[]> = {};
    for (const [name, shown] of Object.entries(PAGES)) {
      await visit(page, shown);
      const again: number[] = [];
      for (let count = 0; count < VISITS; count += 1) again.push(await visit(page, shown));
      // it goes on by itself, beside what is measured now
      await page.goto('about:blank');
      const first: number[] = [];
      for (let count = 0; count < VISITS; count += 1) first.push(await firstVisit(browser, signedIn, shown));
      times[`${name}, first visit`] = first;
      times[name] = again;
    }
    return times;
  } finally {
    await browser.close();
  }
}

/** With an empty cache the scripts are fetched and compiled. To open a browser's window is not the page's time. */
async function firstVisit(browser: Browser, signedIn: BrowserContextOptions, shown: Shown): Promise<number> {
  const stranger = await browser.newContext(signedIn);
  const page = await stranger.newPage();
  await atRest(browser);
  const took = await visit(page, shown);
  await stranger.close();
  return took;
}

/** Waits until the processes of a browser have nothing to do. */
async function atRest(browser: Browser): Promise<void> {
  const session = await browser.newBrowserCDPSession();
  const cpuSeconds = async (): Promise<number> => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  };
  for (let before = await cpuSeconds(), idle = false; !idle;) {
    await sleep(REST_MS);
    const now = await cpuSeconds();
    idle = (now - before) * 1_000 < REST_MS * IDLE;
    before = now;
  }
  await session.detach();
}

async function visit(page: Page, { path, usable }: Shown): Promise<number> {
  const start = performance.now();
  await page.goto(path, { waitUntil: 'commit' });
  await usable(page);
  return performance.now() - start;
}
