import { Support } from './support.js';

let support: Support;

beforeAll(async () => {
  support = await Support.start('bottles');
});
afterAll(() => support.stop());

it('smoke', async () => {
  const { id, token } = await support.register({ schedule: { kind: 'times_of_day', times: ['08:00'] }, number_of_pills: 30 });
  expect((await support.report(token, 'heartbeats')).status).toBe(204);
  const answer = await support.get(`/v1/bottles/${id}`);
  console.log(answer.status, JSON.stringify(answer.body, null, 1));
  for (const path of ['/v1/bottles', '/v1/alerts', '/v1/deliveries', '/v1/fleet', '/v1/api-keys', `/v1/bottles/${id}/actions`, `/v1/bottles/${id}/heartbeats`, `/v1/bottles/${id}/doses`, '/docs/json', '/health/ready'])
    console.log(path, (await support.get(path)).text.slice(0, 300));
});
