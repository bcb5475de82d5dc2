import { ManualClock } from '#platform';
import supertest from 'supertest';
import { testDatabase } from '../support/database.js';
import { registerBottle, startDeviceApi, startSupportApi } from '../support/services.js';
it('probe', async () => {
  const db = await testDatabase('probe');
  const clock = new ManualClock(new Date('2026-03-02T06:00:00Z'));
  const device = await startDeviceApi(db.uri, clock);
  const support = await startSupportApi(db.uri, clock);
  const bottle = await registerBottle(support, device);
  const out: string[] = [];
  const deep = (n: number, o = '[', c = ']') => o.repeat(n) + c.repeat(n);
  const cases: [string, string, string | undefined, Record<string, string>?][] = [];
  for (const p of ['/v1/heartbeats', '/v1/actions', '/v1/batch']) {
    for (const b of [undefined, 'null', '[]', '"x"', '5', 'true', '{}', '{"a":NaN}', '{', '{"__proto__":1}', '{"constructor":1}','{"constructor":{"prototype":{}}}', '{"toString":1}','{"hasOwnProperty":1}','{"then":1}', `{"sent_at":${deep(60000)}}`, `{"sent_at":${deep(50000,'{"a":','}').replace('{"a":}','{"a":1}')}}`, `{"items":[${deep(60000)}]}`,`{"items":[{"type":"action","time":${deep(60000)}}]}`, '{"items":[{"type":"heartbeat","constructor":1}]}','{"items":[{"type":"heartbeat","hasOwnProperty":1}]}','{"items":[{"type":"heartbeat","mass_of_contents":1e999}]}', '{"mass_of_contents":1e999}','{"sent_at":"2026-02-30T00:00:00Z"}','{"sent_at":"2026-03-01T00:00:00+99:99"}','{"sent_at":"0000-01-01T00:00:00Z"}','{"sent_at":"1969-01-01T00:00:00Z"}','{"sent_at":"9999-12-31T23:59:59-23:59"}','{"action":"opened","time":"2100-01-01T00:00:00Z","mass_of_contents":1,"number_of_pills":1}','{"action":"opened","time":"2026-03-02T05:00:00Z","mass_of_contents":1,"number_of_pills":1,"event_id":"\\ud800"}','{"action":"opened","time":"9999-03-02T05:00:00Z","sent_at":"0000-01-01T00:00:00Z","mass_of_contents":1,"number_of_pills":1}'])
      cases.push([p, 'application/json', b]);
    cases.push([p, 'text/plain', 'x'], [p, 'text/plain', ''], [p, '', '{}'], [p, 'application/json; charset=utf-8', '{}'], [p, 'application/json; charset=bogus', '{}'],[p, 'application/x-www-form-urlencoded', 'a=1'],[p, 'garbage', '{}'], [p,'application/json','{}',{'content-encoding':'gzip'}]);
  }
  for (const [p, ct, b, h] of cases) {
    const r = supertest(device.getHttpServer()).post(p).set('authorization', `Bearer ${bottle.token}`).set(h ?? {});
    if (ct) r.set('content-type', ct);
    const a = await (b === undefined ? r : r.serialize(String).send(b as never));
    out.push(`${p} ${ct} ${b?.slice(0, 60)} -> ${a.status} ${a.headers['content-type']} ${a.text.slice(0, 260)}`);
  }
  for (const m of ['get','put','delete','patch','head','options'] as const) { const a = await supertest(device.getHttpServer())[m]('/v1/actions'); out.push(`${m} ${a.status} ${a.headers['content-type']} ${a.text}`); }
  for (const u of ['/v1/%ZZ','/','/v1/heartbeats/','/v1/heartbeats?x=1', '/v1//heartbeats', '/V1/heartbeats']) { const a = await supertest(device.getHttpServer()).post(u).set('authorization', `Bearer ${bottle.token}`); out.push(`${u} ${a.status} ${a.headers['content-type']} ${a.text}`); }
  for (const u of ['/docs','/docs/json','/health/live','/health/ready','/metrics']) { const a = await supertest(device.getHttpServer()).get(u); out.push(`${u} ${a.status} ${a.headers['content-type']} ${a.text.slice(0,3000)}`); }
  process.stdout.write(out.join('\n') + '\n');
  await device.close(); await support.close(); await db.drop();
}, 60000);
