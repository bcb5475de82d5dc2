import { signLink } from '#platform';
import { Types } from 'mongoose';
import supertest from 'supertest';
import { ContactsRepository, AddressHealthRepository } from '#persistence';
import { at, insertAlerts, insertDeliveries } from './fixtures.js';
import { NOW, Support } from './support.js';

const LINK_SECRET = '0123456789abcdef0123456789abcdef';
const PATH = '/v1/contacts/will';
const carer = (name: string, more: object = {}) => ({
  name,
  email: `${name.toLowerCase()}@example.org`,
  ...more,
});

describe('the carers of a contact', () => {
  let support: Support;

  beforeAll(async () => {
    support = await Support.start('carers', { LINK_SECRET, PUBLIC_URL: 'https://pills.example.org' });
  });
  beforeEach(() => support.clock.set(NOW));
  afterEach(() => support.call('delete', PATH));
  afterAll(() => support?.stop());

  const put = (body: object) => support.call('put', PATH, { webhook: true, ...body });
  const idsOf = ({ body }: { body: { carers?: { id: string }[] } }) => body.carers?.map(({ id }) => id);

  it('are up to ten, each with an id that stays, and steps that name nobody are refused by field', async () => {
    const anna = carer('Anna', { relation: 'daughter', groups: ['family'], time_zone: 'Europe/Berlin' });
    const escalation = [
      { after: '0m', to: 'user' },
      { after: '10m', to: 'group:family', in_turn: '5m' },
      { after: '1h', to: 'carer-2' },
    ];
    const made = await put({ carers: [anna, carer('Jonas'), carer('Kay', { id: 'kay' })], escalation });
    expect(idsOf(made)).toEqual(['carer', 'carer-2', 'kay']);
    const { id: _id, relation: _relation, groups: _groups, ...first } = made.body.carers[0];
    expect(made.body.carer).toEqual(first);
    expect(made.body.carers[0]).toMatchObject(anna);
    // what was read can be sent back
    expect((await put(made.body)).body).toEqual(made.body);
    const ten = Array.from({ length: 10 }, (_, index) => carer(`C${index}`));
    expect(idsOf(await put({ carers: ten }))).toHaveLength(10);
    const before = (await support.get(PATH)).body;
    const step = (more: object) => ({ carers: [anna], escalation: [{ after: '0m', ...more }] });
    for (const [body, code, field] of [
      [{ carers: [...ten, anna] }, 'too_many_items', 'carers'],
      [step({ to: 'jonas' }), 'invalid_value', 'escalation[0].to'],
      [step({ to: 'group:friends' }), 'invalid_value', 'escalation[0].to'],
      [step({ to: 'carer', in_turn: '5m' }), 'forbidden_field', 'escalation[0].in_turn'],
      [
        { carers: [carer('Anna', { id: 'anna' })], escalation: [{ after: '0m', to: 'carer' }] },
        'invalid_value',
        'escalation[0].to',
      ],
      [{ carers: [anna, carer('Jonas', { id: 'user' })] }, 'invalid_value', 'carers[1].id'],
      [{ carers: [anna, carer('Jonas', { id: 'Jonas' })] }, 'invalid_value', 'carers[1].id'],
      [{ carers: [carer('A', { id: 'a' }), carer('B', { id: 'a' })] }, 'duplicate_id', 'carers[1].id'],
      [{ carers: [carer('A', { id: 'a' }), carer('B', { id: 'carer' })] }, 'invalid_value', 'carers[1].id'],
      [{ carers: [carer('A', { groups: ['a:b'] })] }, 'invalid_value', 'carers[0].groups'],
      [{ carers: [anna], carer: carer('Jonas') }, 'carers_disagree', 'carer'],
    ] as const)
      expect(await put(body)).toMatchObject({ status: 400, body: { code, field } });
    expect((await support.get(PATH)).body).toEqual(before);
  });

  it('given as the one carer of before leave the others as they are', async () => {
    const made = await put({
      carers: [carer('Anna', { relation: 'daughter' }), carer('Jonas', { id: 'jonas' })],
    });
    const renamed = await put({ carer: { ...carer('Anna'), phone: '+49 30 1' } });
    expect(renamed.body.carers).toMatchObject([
      { id: 'carer', name: 'Anna', phone: '+49 30 1', relation: 'daughter' },
      made.body.carers[1],
    ]);
    // of what was read and is sent back, that counts which has changed
    const { carer: first, carers } = renamed.body;
    const moved = await put({ ...renamed.body, carer: { ...first, phone: '+49 30 2' } });
    expect(moved.body.carers).toMatchObject([{ phone: '+49 30 2', relation: 'daughter' }, { id: 'jonas' }]);
    const related = await put({
      ...moved.body,
      carers: [{ ...moved.body.carers[0], name: 'Ann' }, carers[1]],
    });
    expect(related.body).toMatchObject({
      carer: { name: 'Ann' },
      carers: [{ name: 'Ann' }, { id: 'jonas' }],
    });
    expect((await put({})).body.carers).toBeUndefined();
    // whoever had no carer may still have a step to one
    expect((await put({ escalation: [{ after: '0m', to: 'carer' }] })).status).toBe(200);
  });

  it('have addresses that are verified, stopped, refused and healed, each on its own', async () => {
    await put({
      carers: [
        carer('Anna'),
        carer('Jonas', { id: 'jonas', sms: '+4915100000001' }),
        carer('Kay', { id: 'kay', sms: '+4915100000001' }),
      ],
    });
    const [contacts, health] = [
      support.app.get(ContactsRepository),
      support.app.get(AddressHealthRepository),
    ];
    const states = async (field: string) =>
      (await support.get(PATH)).body.carers.map(
        (one: Record<string, { state?: string }>) => one[field]?.state,
      );
    const jonas = { recipient: 'carer.jonas:will', channel: 'email' };
    expect(await contacts.verify('will', 'jonas@example.org', NOW)).toBe(true);
    expect(await states('email_health')).toEqual(['unverified', 'verified', 'unverified']);
    const refusal = { at: NOW, by: 'mx.example.org', reply: '550' };
    await health.noteRefused(jonas, 'jonas@example.org', refusal, at(60));
    await health.noteRefused(jonas, 'jonas@example.org', { ...refusal, at: at(5), reply: '551' }, at(99));
    expect((await support.get(PATH)).body.carers[1].email_health).toMatchObject({
      state: 'refused',
      since: NOW.toISOString(),
      reply: '551',
    });
    expect(await health.findRefusalsDue(at(60), 9)).toMatchObject([{ _id: 'will', refusals_due_at: at(60) }]);
    await health.heal(jonas, 'jonas@example.org');
    expect(await states('email_health')).toEqual(['unverified', 'verified', 'unverified']);
    expect(await contacts.stopAddress('will', 'jonas@example.org', at(7))).toBe(true);
    expect(await states('email_health')).toEqual(['unverified', 'unverified', 'unverified']);
    // whose number it is, is found by an index
    const whose = { sms: '+4915100000001', 'paused.sms': { $exists: false } };
    const plan = await support.database.db
      .collection('contacts')
      .find({ 'other_carers.sms': whose.sms, other_carers: { $elemMatch: whose } })
      .explain();
    expect(JSON.stringify(plan)).toContain('"indexName":"number_of_other_carer"');
    expect(await health.pause('+4915100000001', NOW)).toEqual(['carer.jonas:will', 'carer.kay:will']);
    expect(await states('sms_health')).toEqual([undefined, 'paused', 'paused']);
    expect(await health.resume('+4915100000001')).toEqual(['carer.jonas:will', 'carer.kay:will']);
    expect(await states('sms_health')).toEqual([undefined, 'unverified', 'unverified']);
    // staff say that one is not the right one after all
    await put({ carers: [carer('Anna', { email_verified: true })] });
    support.clock.set(at(9));
    const { body } = await put({ carers: [carer('Anna', { email_verified: false })] });
    support.clock.set(NOW);
    expect(body.carer.email_health).toEqual({ state: 'unverified', since: at(9).toISOString() });
  });

  it('who act at once on one alert see who was first, by name', async () => {
    const verified = { email_verified: true };
    const both = [carer('Anna', verified), carer('Jonas', { id: 'jonas', ...verified, language: 'de' })];
    await put({ carers: both });
    const { id } = await support.register({ user_id: 'will' });
    const bottle_id = new Types.ObjectId(id);
    const [alert] = await insertAlerts(support, [{ bottle_id, user_id: 'will', kind: 'bottle_silent' }]);
    const sent = (recipient: string) => ({
      bottle_id,
      alert_id: new Types.ObjectId(alert),
      kind: 'bottle_silent',
      event: 'raised',
      recipient,
      channel: 'email',
    });
    const links = await insertDeliveries(support, [sent('carer:will'), sent('carer.jonas:will')]);
    const [anna, jonas] = links.map(
      (delivery, index) =>
        `/a/${signLink(LINK_SECRET, { id: delivery, expires_at: at(60) }, both[index]!.email)}`,
    );
    const server = supertest(support.app.getHttpServer());
    support.clock.advance(60_000);
    const answers = await Promise.all([server.post(anna!), server.post(jonas!)]);
    expect(answers.map(({ status }) => status).sort((one, other) => one - other)).toEqual([200, 409]);
    const isAnna = answers[0].status === 200;
    const second = isAnna ? answers[1].text : answers[0].text;
    expect(second).toContain(isAnna ? 'Anna kümmert sich darum, seit' : 'Jonas is taking care of it, since');
    // whoever was first, and the other, read it whenever they open the page again
    const pages = await Promise.all([server.get(anna!), server.get(jonas!)]);
    for (const { text } of pages) expect(text).not.toContain('<button type="submit">I am taking care');
    expect(pages[isAnna ? 0 : 1].text).toContain(
      isAnna ? 'You are taking care of it, since' : 'Sie kümmern sich darum, seit',
    );
    // another person in the place of the first carer has not done it
    const mary = carer('Mary', { ...verified, email: 'mary@example.org' });
    support.clock.advance(60_000);
    if (isAnna) {
      await put({ carers: [mary, both[1]] });
      expect((await server.get(jonas!)).text).toContain('Die Betreuungsperson kümmert sich darum');
    }
    // staff who come later learn it, too
    const late = await support.post(`/v1/alerts/${alert}/acknowledge`, {});
    expect(late).toMatchObject({ status: 409, body: { code: 'alert_not_open' } });
    expect(late.body.detail).toContain(`acknowledged, by ${isAnna ? 'the carer' : 'Jonas'} at`);
    const several = await support.post('/v1/alerts/acknowledge', { ids: [alert] });
    expect(several.body.results).toMatchObject([{ status: 409, by: isAnna ? 'carer:will' : 'Jonas' }]);
  });
});
