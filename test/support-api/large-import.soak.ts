import { Support } from './support.js';

let support: Support;

beforeAll(async () => {
  support = await Support.start('large-import');
});
afterAll(() => support?.stop());

it('accepts the documented number of bottles, with long names', async () => {
  const owner = (index: number) => `of-the-large-file-with-a-long-name-${index}`;
  const lines = Array.from({ length: 2_000 }, (_, index) => `${owner(index)},b,Europe/Berlin`);
  const { status, body } = await support.importCsv(['user_id,medication,time_zone', ...lines].join('\n'));
  expect(status).toBe(201);
  expect(body.created).toHaveLength(2_000);
  const found = await support.get(`/v1/bottles?q=${owner(1_999)}`);
  expect(found.body.items).toMatchObject([{ bottle_id: body.created[1_999].bottle_id }]);
});
