import { MINUTE_MS } from '#domain';
import { SystemClock } from '#platform';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CoverageGaps } from '../../apps/notifier/src/alert-kinds/coverage-gap/coverage-gaps.js';
import { Harness } from '../../tools/harness/harness.js';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { verified } from '../../tools/harness/verified.js';

export const LINK_SECRET = 'a-link-secret-of-at-least-32-characters';

export interface Request {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver of an integrator: keeps what it is sent. */
class Receiver {
  readonly requests: Request[] = [];
  status = 204;

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      void request.toArray().then((chunks: Buffer[]) => {
        if (request.method === 'POST')
          this.requests.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
        response.writeHead(this.status).end();
      });
    });
  }

  static async start(): Promise<Receiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Receiver(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  /** What it took, as `type bottle`, or only the type. */
  types(bottle?: TestBottle): string[] {
    return this.requests
      .map(({ body }) => JSON.parse(body) as { type: string; data: { bottle_id?: string } })
      .filter(({ data }) => bottle === undefined || data.bottle_id === bottle.id)
      .map(({ type }) => type);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** What tests of endpoints do: services, and receivers that end with each test. To be called in a `describe`. */
export function useEndpoints(name: string) {
  let harness!: Harness;
  const receivers: Receiver[] = [];
  const ids: string[] = [];

  beforeAll(async () => {
    // the verifiers compare with the machine's clock
    const start = new Date(new SystemClock().now().getTime() - 6 * MINUTE_MS);
    harness = await Harness.start(name, start.toISOString(), { LINK_SECRET });
    await runs();
  });
  afterAll(() => harness?.stop());
  afterEach(async () => {
    for (const id of ids.splice(0)) await staff().delete(`/v1/webhook-endpoints/${id}`);
    for (const receiver of receivers.splice(0)) receiver.stop();
    harness.receiver.forget();
    harness.mail.mails.length = 0;
    await harness.receiver.behave('works');
    await harness.pass(2);
  });

  const staff = () => asAdmin(harness.support);
  const runs = () => harness.notifier.app.get(CoverageGaps).recordChecks(harness.clock.now());
  const endpointOf = async (id: string) =>
    (await staff().get(`/v1/webhook-endpoints/${id}`).expect(200)).body;
  const deliveriesTo = async (id: string) =>
    (
      await staff()
        .get('/v1/deliveries')
        .query({ channel: `webhook:${id}` })
        .expect(200)
    ).body.items;

  async function startReceiver(): Promise<Receiver> {
    const receiver = await Receiver.start();
    receivers.push(receiver);
    return receiver;
  }

  async function add(body: object = {}): Promise<{ id: string; secret: string; receiver: Receiver }> {
    const receiver = await startReceiver();
    const made = await staff()
      .post('/v1/webhook-endpoints')
      .send({ url: receiver.url, ...body })
      .expect(201);
    ids.push(made.body.id);
    return { id: made.body.id, secret: made.body.secret, receiver };
  }

  async function openBottle(contact?: object): Promise<TestBottle> {
    const user = `person-${Math.random()}`;
    if (contact) await staff().put(`/v1/contacts/${user}`).send(verified(contact)).expect(201);
    const bottle = await harness.register({ user_id: user });
    await harness.open(bottle);
    await harness.pass(6);
    return bottle;
  }

  async function closeBottle(bottle: TestBottle): Promise<void> {
    await harness.close(bottle);
    await harness.pass(2);
  }

  return {
    get harness(): Harness {
      return harness;
    },
    /** Of the endpoints that end with the test. */
    ids,
    staff,
    runs,
    startReceiver,
    endpointOf,
    deliveriesTo,
    add,
    openBottle,
    closeBottle,
  };
}
