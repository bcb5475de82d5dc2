import {
  BottleActionsRepository,
  BottlesRepository,
  ContactsRepository,
  DeliveriesRepository,
  NotesRepository,
} from '#persistence';
import { VitalsDaysRepository } from '#timeseries';
import { jest } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { Types } from 'mongoose';
import { COUNTS, fill } from './filled-bottle.js';
import { NOW, Support } from './support.js';

describe('an erasure of a person', () => {
  let support: Support;

  beforeAll(async () => {
    support = await Support.start('erasure-kills');
  });
  beforeEach(() => support.clock.set(NOW));
  afterAll(() => support?.stop());

  /** What erases something of a bottle that has changed hands, of one that has not, or of the person. */
  const ERASING: [type: Type<unknown>, method: string][] = [
    [DeliveriesRepository, 'deleteOfBottle'],
    [BottleActionsRepository, 'deleteOfBottle'],
    [VitalsDaysRepository, 'deleteOfBottle'],
    [NotesRepository, 'deleteOfBottle'],
    [BottlesRepository, 'delete'],
    [BottlesRepository, 'eraseFormerOwner'],
    [ContactsRepository, 'delete'],
    [NotesRepository, 'deleteOfUser'],
  ];
  const points = ERASING.map(([type, method]) => [type.name, method, type] as const);

  it.each(points)('killed after %s.%s counts everything when it is repeated', async (_, method, type) => {
    const user_id = `person-${new Types.ObjectId().toHexString()}`;
    const [own, shared] = [await support.register({ user_id }), await support.register({ user_id })];
    for (const bottle of [own, shared]) await fill(support, bottle);
    for (const name of ['alerts', 'bottle_actions', 'bottle_heartbeats'])
      await support.database.db
        .collection(name)
        .updateMany(
          { bottle_id: new Types.ObjectId(shared.id) },
          { $set: { user_id, state: 'resolved' }, $unset: { open: true } },
        );
    await support.post(`/v1/people/${user_id}/notes`, { text: 'Calls at noon' });
    await support.call('put', `/v1/contacts/${user_id}`, { email: 'ann@example.org' });
    support.clock.advance(60_000);
    await support.call('patch', `/v1/bottles/${shared.id}`, { user_id: 'heir' });

    const repository = support.app.get<Record<string, (...of: unknown[]) => Promise<unknown>>>(type);
    const work = repository[method]!.bind(repository);
    const killing = [type === BottlesRepository && method === 'delete' ? own.id : shared.id, user_id];
    const spy = jest.spyOn(repository, method).mockImplementation(async (...of) => {
      await work(...of);
      if (killing.includes(String((of[0] as { _id?: unknown })._id ?? of[0]))) throw new Error('killed');
    });
    const erase = () => support.call('delete', `/v1/people/${user_id}`);
    expect((await erase()).status).toBe(500);
    spy.mockRestore();
    const twice = Object.fromEntries(Object.entries(COUNTS).map(([kind, count]) => [kind, 2 * count]));
    expect(await erase()).toMatchObject({
      status: 200,
      body: { counts: { ...twice, bottles: 1, shared_bottles: 1, contacts: 1, notes: 3 } },
    });
  });
});
