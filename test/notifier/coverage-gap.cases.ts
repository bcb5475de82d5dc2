import { HOUR_MS, MINUTE_MS } from '#domain';
import { AlertsRepository, BottlesRepository, CoverageGapsRepository } from '#persistence';
import { Types } from 'mongoose';
import { CoverageGaps } from '../../apps/notifier/src/alert-kinds/coverage-gap/coverage-gaps.js';
import { UnconfirmedDoses } from '../../apps/notifier/src/alert-kinds/coverage-gap/unconfirmed-doses.js';
import { asAdmin } from '../../tools/harness/services.js';
import { NotifierHarness } from './notifier-harness.js';

describe('coverage gaps', () => {
  let harness: NotifierHarness;

  beforeAll(async () => {
    harness = await NotifierHarness.start('coverage-gaps');
  });
  afterAll(() => harness?.stop());
  beforeEach(() => harness.begin());

  it('a count of doses that was cut short reports nothing; the next one reports all', async () => {
    const { db } = harness.database;
    await harness.register({
      time_zone: 'UTC',
      schedule: { kind: 'times_of_day', times: ['06:30', '07:30'] },
    });
    await harness.pass(3 * HOUR_MS);
    const now = harness.clock.now().getTime();
    const span = (from: number, until: number): object => ({
      _id: new Types.ObjectId().toHexString(),
      from: new Date(now - from),
      until: new Date(now - until),
    });
    await db.collection('check_spans').deleteMany({});
    await db
      .collection('check_spans')
      .insertMany([span(3 * HOUR_MS, 3 * HOUR_MS - MINUTE_MS), span(HOUR_MS, 0)] as never);
    const gaps = harness.notifier.app.get(CoverageGaps);
    const raised = (): Promise<object | null> =>
      db.collection('alerts').findOne({ kind: 'coverage_gap', subject: 'notifier' });
    let pages = 0;
    await gaps.run(() => (pages += 1) > 0);
    expect(await raised()).toBeNull();
    await gaps.run();
    expect(await raised()).toMatchObject({ state: 'resolved', evidence: { doses: 2 } });
  });

  describe('that is recorded is ended, whatever is longer or recent by now', () => {
    beforeEach(async () => {
      await harness.database.db.collection('coverage_gaps').deleteMany({});
    });

    /** device-api stops, and the gap is recorded while it lasts. */
    const recordOpenGap = async (): Promise<void> => {
      harness.clock.advance(30 * MINUTE_MS);
      await harness.notifier.app.get(CoverageGaps).run();
      expect(await unsettled()).toMatchObject([{ part: 'device-api' }]);
      expect((await unsettled())[0]).not.toHaveProperty('until');
    };
    const unsettled = () => harness.notifier.app.get(CoverageGapsRepository).findUnsettled();

    it('COVERAGE_GAP_AFTER was raised meanwhile', async () => {
      await recordOpenGap();
      await harness.outage(10 * MINUTE_MS);
      const until = harness.clock.now();
      const patient = await harness.addNotifier({ COVERAGE_GAP_AFTER: '2h' });
      await patient.app.get(CoverageGaps).run();
      expect(await unsettled()).toMatchObject([{ until, doses: 1 }]);
      const alerts = harness.database.db.collection('alerts');
      expect(await alerts.findOne({ kind: 'coverage_gap', subject: 'device-api', open: true })).toBeNull();
    });

    it('no notifier ran for more than a day after it ended', async () => {
      await recordOpenGap();
      await harness.outage(10 * MINUTE_MS);
      const until = harness.clock.now();
      await harness.pass(25 * HOUR_MS);
      await harness.notifier.app.get(CoverageGaps).run();
      expect(await unsettled()).toMatchObject([{ until, doses: 1 }]);
    });

    it('the spans from before it have been deleted', async () => {
      await recordOpenGap();
      const from = (await unsettled())[0]!.from;
      await harness.outage(10 * MINUTE_MS);
      const until = harness.clock.now();
      await harness.pass(25 * HOUR_MS);
      await harness.database.db.collection('listening_spans').deleteMany({ until: { $lte: from } });
      await harness.notifier.app.get(CoverageGaps).run();
      expect(await unsettled()).toMatchObject([{ from, until }]);
    });
  });

  it('is one message to a contact, however long it takes to find its doses', async () => {
    const { notifier } = harness;
    const user_id = 'of-two-bottles';
    const schedule = { kind: 'times_of_day', times: ['06:10'], late_after: '30m', time_zone: 'UTC' };
    const bottles = await harness.registerMany(2, { user_id, time_zone: 'UTC', schedule });
    await asAdmin(harness.support)
      .put(`/v1/contacts/${user_id}`)
      .send({ webhook: true, time_zone: 'UTC' })
      .expect(201);
    await harness.heartbeat(...bottles);
    await harness.outage(30 * MINUTE_MS);
    await notifier.app.get(CoverageGaps).run();
    await harness.pass(30 * MINUTE_MS);
    const fleet = notifier.app.get(BottlesRepository);
    const pages = fleet.pages.bind(fleet);
    const other = await harness.addNotifier();
    fleet.pages = async function* () {
      for await (const page of pages(1)) {
        yield page;
        await harness.pass(100_000);
        await other.deliver();
      }
    };
    await notifier.app.get(UnconfirmedDoses).run();
    fleet.pages = pages;
    for (let minutes = 0; minutes < 3; minutes += 1) {
      await other.deliver();
      await harness.pass(MINUTE_MS);
    }
    await other.deliver();
    const messages = harness.receiver.requests.filter(
      ({ data }) => data.kind === 'coverage_gap' && data.user_id === user_id,
    );
    expect(messages).toHaveLength(1);
    const alerts = await Promise.all(bottles.map((bottle) => harness.alerts(bottle, 'coverage_gap')));
    expect(alerts.flat()).toHaveLength(2);
  });

  it('that is over when it is found is one message, also if what is due is sent while its end is recorded', async () => {
    const gaps = harness.notifier.app.get(CoverageGaps);
    await gaps.run();
    await harness.notifier.deliver();
    harness.receiver.forget();
    await harness.outage(HOUR_MS);
    await harness.beforeTheEnd(() => harness.notifier.deliverer.run());
    await gaps.run();
    await harness.pass(MINUTE_MS);
    await harness.notifier.deliver();
    const about = harness.receiver.messages.filter(({ data }) => data.kind === 'coverage_gap');
    expect(about.map(({ data }) => data.event)).toEqual(['resolved']);
  });

  it('a bottle whose silence is held down, or that reported before its end is found, is not silent', async () => {
    const at = harness.clock.now();
    const before = (minutes: number): Date => new Date(at.getTime() - minutes * MINUTE_MS);
    const alert = { kind: 'bottle_silent', raised_at: before(60), open: true };
    const [silent, held, back, reported] = Array.from({ length: 4 }, () => new Types.ObjectId());
    await harness.database.db.collection('alerts').insertMany([
      { ...alert, bottle_id: silent, subject: 'a' },
      { ...alert, bottle_id: held, subject: 'b', cleared_at: before(1), clears_at: before(-119) },
      { ...alert, bottle_id: back, subject: 'c', cleared_at: before(-1), clears_at: before(-121) },
      {
        ...alert,
        bottle_id: reported,
        subject: 'd',
        evidence: { heard_again_at: at },
        cleared_at: before(-1),
      },
    ]);
    const found = await harness.notifier.app
      .get(AlertsRepository)
      .findSilentAt([silent!, held!, back!, reported!], at);
    expect([...found].sort()).toEqual([silent!, back!].map((id) => id.toHexString()).sort());
  });
});
