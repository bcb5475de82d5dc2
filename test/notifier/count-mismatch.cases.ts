import { HOUR_MS, MINUTE_MS } from '#domain';
import { MOST_PILL_SAMPLES, type PillSample, PillWeightsRepository } from '#persistence';
import { Types } from 'mongoose';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { NotifierHarness } from './notifier-harness.js';

describe('count mismatch', () => {
  const PILL = 0.5;
  const KIND = 'count_mismatch';

  let harness: NotifierHarness;
  let medication: string;
  let tests = 0;

  beforeAll(async () => {
    harness = await NotifierHarness.start('count-mismatch');
  });
  afterAll(() => harness?.stop());

  beforeEach(async () => {
    await harness.begin();
    medication = `Medication ${(tests += 1)}`;
  });

  const register = (): Promise<TestBottle> => harness.register({ medication, number_of_pills: 30 });

  /** Closed with so many pills by its own count, which weigh as much as `byWeight`; the checks run a minute later. */
  async function close(
    bottle: TestBottle,
    number_of_pills: number,
    byWeight = number_of_pills,
  ): Promise<void> {
    await harness.pass(HOUR_MS);
    await harness.action(bottle, 'closed', {
      number_of_pills,
      mass_of_contents: byWeight * PILL,
      pills_taken: 1,
    });
    await harness.pass(MINUTE_MS);
    await judge();
  }

  /** This kind is found by the check of doses. */
  async function judge(): Promise<void> {
    await harness.notifier.doses.run();
    await harness.notifier.deliver();
  }

  /** From 29 pills to 25, as they should: enough to learn from. */
  async function takeFive(bottle: TestBottle): Promise<void> {
    for (const pills of [29, 28, 27, 26, 25]) await close(bottle, pills);
  }

  const samples = async (): Promise<PillSample[]> => {
    const found = await harness.notifier.app.get(PillWeightsRepository).findByMedications([medication]);
    return found.get(medication) ?? [];
  };

  it('is raised when weight and count have differed twice, explained, and ended when they have agreed twice', async () => {
    const bottle = await register();
    await takeFive(bottle);
    await close(bottle, 24, 19);
    expect(harness.received(bottle, KIND)).toEqual([]);
    const since = new Date(harness.clock.now().getTime() - MINUTE_MS);
    await close(bottle, 23, 18);
    await close(bottle, 22, 17);
    expect(harness.received(bottle, KIND)).toEqual(['raised']);
    const [alert] = await harness.alerts(bottle, KIND);
    const { body } = await asAdmin(harness.support).get(`/v1/alerts/${alert!._id.toHexString()}`).expect(200);
    expect(body).toMatchObject({
      kind: KIND,
      state: 'open',
      evidence: {
        rule: 'count_tolerance',
        pill_mass: 0.5,
        learned_from_bottles: 1,
        number_of_pills: 23,
        expected_mass: 11.5,
        measured_mass: 9,
        difference_pills: -5,
        tolerance_pills: 1.5,
        differs_since: since.toISOString(),
      },
    });
    await close(bottle, 30);
    expect(harness.received(bottle, KIND)).toEqual(['raised']);
    await close(bottle, 29);
    expect(harness.received(bottle, KIND)).toEqual(['raised', 'resolved']);
  });

  it('a bottle that taught nothing is judged by what others of its medication taught', async () => {
    const [teacher, other] = [await register(), await register()];
    await takeFive(teacher);
    for (let time = 0; time < 5; time += 1) await close(other, 30);
    expect(await samples()).toHaveLength(1);
    await close(other, 29, 24);
    await close(other, 28, 23);
    expect(harness.received(other, KIND)).toEqual(['raised']);
    expect(harness.received(teacher, KIND)).toEqual([]);
  });

  it.each([
    ['before the weight is learned', [29, 28, 27, 26, [25, 20], [24, 19], [23, 18]]],
    ['of a scale that always says the same', [29, 28, 27, 26, 25, 24, 23, 22].map((pills) => [pills, 30])],
    ['of a single bad weighing', [29, 28, 27, 26, 25, [24, 10], 23, 22]],
    [
      'of heat, by which a load cell creeps',
      [29, 28, 27, 26, 25, [25, 25.5], [25, 26], [25, 26.4], [24, 25.4]],
    ],
    ['of a refill', [29, 28, 27, 26, 25, 60, 59, 58]],
  ] as [string, (number | [number, number])[]][])('says nothing %s', async (_, closings) => {
    const bottle = await register();
    for (const closing of closings) await close(bottle, ...([closing].flat() as [number, number?]));
    expect(await harness.alerts(bottle, KIND)).toEqual([]);
  });

  it('says nothing of a bottle with other pills of that name, nor once its bottles disagree', async () => {
    const [one, other] = [await register(), await register()];
    await takeFive(one);
    for (const pills of [29, 28, 27, 26, 25, 24, 23]) await close(other, pills, pills * 1.2);
    expect(await samples()).toHaveLength(2);
    for (const pills of [24, 23, 22]) await close(one, pills, pills - 5);
    expect(await harness.alerts(one, KIND)).toEqual([]);
    expect(await harness.alerts(other, KIND)).toEqual([]);
  });

  it('a difference whose alert a person has closed is not raised again', async () => {
    const bottle = await register();
    await takeFive(bottle);
    for (const pills of [24, 23]) await close(bottle, pills, pills - 5);
    const [alert] = await harness.alerts(bottle, KIND);
    await asAdmin(harness.support)
      .post(`/v1/alerts/${alert!._id.toHexString()}/close`)
      .send({ reason: 'duplicate' })
      .expect(200);
    for (const pills of [22, 21, 20]) await close(bottle, pills, pills - 5);
    expect(harness.received(bottle, KIND)).toEqual(['raised', 'closed_by_staff']);
  });

  it('ends when there is another medication in the bottle', async () => {
    const bottle = await register();
    await takeFive(bottle);
    for (const pills of [24, 23]) await close(bottle, pills, pills - 5);
    await asAdmin(harness.support)
      .patch(`/v1/bottles/${bottle.id}`)
      .send({ medication: `${medication} forte` })
      .expect(200);
    await close(bottle, 30, 90);
    expect(harness.received(bottle, KIND)).toEqual(['raised', 'resolved']);
  });

  it('ends when the bottle gets another user, and is found anew by their weighings', async () => {
    const bottle = await register();
    await takeFive(bottle);
    for (const pills of [24, 23]) await close(bottle, pills, pills - 5);
    await asAdmin(harness.support).patch(`/v1/bottles/${bottle.id}`).send({ user_id: 'another' }).expect(200);
    await harness.pass(MINUTE_MS);
    await judge();
    expect(harness.received(bottle, KIND)).toEqual(['raised', 'resolved']);
    for (const pills of [22, 21]) await close(bottle, pills, pills - 5);
    const [first, anew] = await harness.alerts(bottle, KIND);
    expect(first).toMatchObject({ state: 'resolved', evidence: { other_person: true } });
    expect(anew).toMatchObject({ state: 'open', user_id: 'another' });
  });

  it('a backlog is judged whole, and the same whatever arrives first', async () => {
    const closings = [29, 28, 27, 26, 25, 19, 18].map((byWeight, index) => ({
      type: 'action',
      action: 'closed',
      time: new Date(harness.clock.now().getTime() + index * HOUR_MS).toISOString(),
      pills_taken: 1,
      number_of_pills: 29 - index,
      mass_of_contents: byWeight * PILL,
    }));
    await harness.pass(10 * HOUR_MS);
    for (const items of [closings, closings.toReversed()]) {
      const bottle = await register();
      await harness.backlog(bottle, items.slice(0, 3));
      await harness.notifier.runAll();
      await harness.backlog(bottle, items.slice(3));
      await harness.notifier.runAll();
      expect(await harness.alerts(bottle, KIND)).toMatchObject([{ state: 'open' }]);
    }
  });

  it('is not raised where it is turned off', async () => {
    const off = await harness.addNotifier({ DISABLED_ALERTS: 'count_mismatch' });
    const bottle = await register();
    for (const pills of [29, 28, 27, 26, 25]) {
      await harness.pass(HOUR_MS);
      await harness.action(bottle, 'closed', { number_of_pills: pills, mass_of_contents: pills * PILL });
      await off.runAll();
    }
    for (const pills of [25, 25, 25]) {
      await harness.pass(HOUR_MS);
      await harness.action(bottle, 'closed', { number_of_pills: pills, mass_of_contents: 5 });
      await off.runAll();
    }
    expect(await harness.alerts(bottle)).toEqual([]);
    await harness.notifier.runAll();
    expect(await harness.alerts(bottle, KIND)).toEqual([]);
  });

  it('two notifiers at once raise it once', async () => {
    const other = await harness.addNotifier();
    const bottle = await register();
    await takeFive(bottle);
    await close(bottle, 24, 19);
    await harness.pass(HOUR_MS);
    await harness.action(bottle, 'closed', { number_of_pills: 23, mass_of_contents: 9 });
    await Promise.all([harness.notifier.doses.run(), other.doses.run()]);
    await Promise.all([harness.notifier.runAll(), other.runAll()]);
    expect(await harness.alerts(bottle, KIND)).toHaveLength(1);
    expect(harness.receiver.requests.filter(({ data }) => data.kind === KIND)).toHaveLength(1);
  });

  it('a closing that comes while the bottle is judged is judged next', async () => {
    const bottle = await register();
    await takeFive(bottle);
    await close(bottle, 24, 19);
    await harness.pass(HOUR_MS);
    await harness.action(bottle, 'closed', { number_of_pills: 24, mass_of_contents: 12 });
    const next = async (): Promise<void> => {
      await harness.pass(1_000);
      await harness.action(bottle, 'closed', { number_of_pills: 24, mass_of_contents: 9.5 });
      await harness.pass(1_000);
      await harness.action(bottle, 'closed', { number_of_pills: 24, mass_of_contents: 9.5 });
    };
    await harness.betweenClaimAndAlert(next, harness.notifier.doses);
    await harness.notifier.runAll();
    expect(await harness.alerts(bottle, KIND)).toMatchObject([{ state: 'open' }]);
  });

  describe('what a pill weighs', () => {
    const sample = (mass: number, minute = 0): Omit<PillSample, 'key'> => ({
      mass,
      time: new Date(Date.UTC(2026, 0, 1, 0, minute)),
    });
    const repository = (): PillWeightsRepository => harness.notifier.app.get(PillWeightsRepository);

    it('is left the same by any order of saying it, at once, and again and again', async () => {
      const bottles = Array.from({ length: MOST_PILL_SAMPLES + 20 }, () => new Types.ObjectId());
      const all = bottles.flatMap((id, index) => [
        [id, sample(index, 1)] as const,
        [id, sample(index + 1000, 2)] as const,
      ]);
      const orders = [all, all.toReversed(), [...all.slice(35), ...all, ...all.slice(0, 35)]];
      const left: (PillSample[] | undefined)[] = [];
      for (const [index, order] of orders.entries()) {
        const name = `${medication} ${index}`;
        for (let at = 0; at < order.length; at += 20) {
          await Promise.all(order.slice(at, at + 20).map(([id, what]) => repository().learn(name, id, what)));
        }
        left.push((await repository().findByMedications([name])).get(name));
      }
      expect(left[0]).toHaveLength(MOST_PILL_SAMPLES);
      expect(left[0]!.every(({ mass }) => mass >= 1000)).toBe(true);
      expect(left[1]).toEqual(left[0]);
      expect(left[2]).toEqual(left[0]);
      // who was not kept need not be asked again
      const kept = bottles.filter((id) => repository().asks(id, left[0]!));
      expect(kept).toHaveLength(MOST_PILL_SAMPLES);
    });

    it('is forgotten of a bottle that is erased', async () => {
      const [erased, stays] = [await register(), await register()];
      for (const { id } of [erased, stays])
        await repository().learn(medication, new Types.ObjectId(id), sample(1));
      await asAdmin(harness.support).delete(`/v1/bottles/${erased.id}`).expect(200);
      expect(await samples()).toHaveLength(1);
    });
  });
});
