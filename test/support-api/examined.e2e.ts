import { type Examined, examinedBy } from './examined.js';
import { at, insertAlerts, insertDeliveries } from './fixtures.js';
import { Support } from './support.js';

/** As many as the largest page. */
const LIMIT = 200;

let support: Support;

beforeAll(async () => {
  support = await Support.start('examined');
  // most of one moment, as the notifier raises them after an outage
  const many = (count: number, alert: object) =>
    insertAlerts(
      support,
      Array.from({ length: count }, (_, index) => ({
        raised_at: at(index < count / 2 ? -60 : -index),
        ...alert,
      })),
    );
  await many(500, { kind: 'bottle_silent' });
  await many(60, { kind: 'missed_dose' });
  await many(500, { kind: 'bottle_silent', snoozed_until: at(60) });
  await many(300, { kind: 'bottle_silent', state: 'acknowledged' });
  await many(300, { kind: 'missed_dose', state: 'resolved', open: undefined, ended_at: at(-1) });
  const ids = await many(150, { kind: 'bottle_open' });
  for (const status of ['delivered', 'dead', 'cancelled', 'pending'])
    await insertDeliveries(
      support,
      ids.map((_, index) => ({ status, created_at: at(index < 100 ? -5 : -index), step: String(index) })),
    );
});
afterAll(() => support?.stop());

it.each([
  '/v1/alerts',
  '/v1/alerts?state=open',
  '/v1/alerts?state=resolved&kind=missed_dose',
  '/v1/alerts?kind=bottle_silent',
  '/v1/alerts?order=needs_person',
  '/v1/alerts?order=needs_person&kind=bottle_silent',
  '/v1/alerts?order=comes_back',
  '/v1/deliveries',
  '/v1/deliveries?status=dead',
])('no page of %s examines more than twice what it returns', async (path) => {
  for (const limit of [20, LIMIT]) {
    const queries = await examinedBy(support, () => support.pages(path, limit));
    expect(queries.length).toBeGreaterThan(1);
    expect(queries.filter(excessive)).toEqual([]);
  }
});

/** The end of a range is one entry more; and a list that goes on at an entry has two ranges. */
function excessive({ keys, documents, returned }: Examined): boolean {
  return Math.max(keys - 2, documents) > 2 * returned;
}
