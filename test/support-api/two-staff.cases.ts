import fc from 'fast-check';
import { Types } from 'mongoose';
import { at, insertAlerts } from './fixtures.js';
import { NOW, Support } from './support.js';

const VERBS = ['attest', 'note', 'acknowledge', 'close', 'assign'] as const;
type Verb = (typeof VERBS)[number];

/** The event of a closing in an alert's history. */
const CLOSED = 'closed_by_staff';

/** One of two members of staff, and what they do. */
const step = fc.record({ who: fc.constantFrom(0, 1), verb: fc.constantFrom(...VERBS) });

describe('two members of staff at once', () => {
  let support: Support;
  let keys: string[];

  beforeAll(async () => {
    support = await Support.start('two-staff');
    keys = [await support.keyOf('support'), await support.keyOf('admin')];
  });
  afterAll(() => support?.stop());

  const NAMES = ['a support', 'a admin'];

  /** A bottle with a dose an hour ago, and an alert about it. */
  async function begin(): Promise<{ bottle: string; alert: string }> {
    support.clock.set(at(-24 * 60));
    const schedule = { kind: 'times_of_day', times: ['12:00'] };
    const { id: bottle } = await support.register({ schedule });
    support.clock.set(NOW);
    const [alert] = await insertAlerts(support, [{ bottle_id: new Types.ObjectId(bottle) }]);
    return { bottle, alert: alert! };
  }

  it('lose nothing, end up in one order, and the second learns who was first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
        const { bottle, alert } = await begin();
        const requestOf = (verb: Verb, index: number): [path: string, body: object] => {
          switch (verb) {
            case 'attest':
              return [
                `/v1/bottles/${bottle}/attestations`,
                { scheduled_at: at(-60).toISOString(), kind: 'taken', note: `step ${index}` },
              ];
            case 'note':
              return [`/v1/bottles/${bottle}/notes`, { text: `step ${index}` }];
            case 'close':
              return [`/v1/alerts/${alert}/close`, { reason: 'duplicate', seen_state: 'open' }];
            case 'assign':
              return [`/v1/alerts/${alert}/assign`, { to: 'nobody' }];
            case 'acknowledge':
              return [`/v1/alerts/${alert}/acknowledge`, {}];
          }
        };
        const answers = await Promise.all(
          steps.map(async ({ who, verb }, index) => ({
            who,
            verb,
            index,
            answer: await support.post(...requestOf(verb, index), keys[who]),
          })),
        );
        const done = (verb: Verb) => answers.filter((one) => one.verb === verb && one.answer.status < 300);
        const refused = answers.filter(({ answer }) => answer.status >= 300);
        const [{ body: attestations }, { body: notes }, { body: shown }] = await Promise.all([
          support.get(`/v1/bottles/${bottle}/attestations`),
          support.get(`/v1/bottles/${bottle}/notes`),
          support.get(`/v1/alerts/${alert}`),
        ]);
        // what was accepted is there, once
        const sorted = (texts: string[]): string[] =>
          texts.toSorted((one, other) => one.localeCompare(other));
        const texts = (verb: Verb) => sorted(done(verb).map(({ index }) => `step ${index}`));
        expect(done('attest')).toHaveLength(steps.filter(({ verb }) => verb === 'attest').length);
        expect(sorted(attestations.items.map(({ note }: { note: string }) => note))).toEqual(texts('attest'));
        expect(sorted(notes.items.map(({ text }: { text: string }) => text))).toEqual(texts('note'));
        // the alert is taken over by one, closed by one, and says by whom
        const history = shown.history as { event: string; by: string }[];
        for (const [verb, event] of [
          ['acknowledge', 'acknowledged'],
          ['close', CLOSED],
        ] as const) {
          const by = history.filter((entry) => entry.event === event).map((entry) => entry.by);
          expect(by).toEqual(done(verb).map(({ who }) => NAMES[who]!));
          expect(by.length).toBeLessThanOrEqual(1);
        }
        // whoever came second learns who was first
        const first = history.find(({ event }) => event === 'acknowledged' || event === CLOSED);
        for (const { answer } of refused) {
          expect(answer.status).toBe(409);
          expect(answer.body.detail).toContain(first!.by);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('do not take an alert from each other: of two who take it, the second learns who was first', async () => {
    const { alert } = await begin();
    const path = `/v1/alerts/${alert}/assign`;
    const take = (who: number, seen_assignee: string, to = 'me') =>
      support.post(path, { to, seen_assignee }, keys[who]);
    const answers = await Promise.all(keys.map((_, who) => take(who, 'nobody')));
    const first = answers.findIndex(({ status }) => status === 200);
    const second = 1 - first;
    expect(answers[second]).toMatchObject({
      status: 409,
      body: { code: 'assigned_meanwhile', errors: [{ field: 'seen_assignee', message: NAMES[first] }] },
    });
    expect(answers[second]!.body.detail).toContain(`by ${NAMES[first]}`);
    const shown = async () => (await support.get(`/v1/alerts/${alert}`)).body;
    expect((await shown()).assigned_to.name).toBe(NAMES[first]);
    // several at once say the same of each
    const many = await support.post(
      '/v1/alerts/assign',
      { ids: [alert], to: 'me', seen_assignee: 'nobody' },
      keys[second],
    );
    expect(many.body.results).toMatchObject([
      {
        status: 409,
        code: 'assigned_meanwhile',
        by: NAMES[first],
        assigned_to: { name: NAMES[first] },
      },
    ]);
    // a repeated request changes nothing
    const { history } = await shown();
    expect((await take(first, 'nobody')).status).toBe(200);
    expect((await shown()).history).toEqual(history);
    // whoever saw it may take it over, or give it back
    expect((await take(second, (await shown()).assigned_to.id)).status).toBe(200);
    expect((await take(first, 'me', 'nobody')).status).toBe(409);
    expect((await take(second, 'me', 'nobody')).status).toBe(200);
    expect((await shown()).assigned_to).toBeNull();
    await support.post(`/v1/alerts/${alert}/close`, { reason: 'duplicate' }, keys[0]);
    expect((await take(1, 'nobody')).body.code).toBe('alert_not_open');
  });
});
