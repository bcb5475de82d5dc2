import type { BottleSpec, ContactChange, StaffAction } from '../file/format.js';
import { verified } from '../../harness/verified.js';
import type { RunningApp } from '../../harness/running-app.js';

/** A registered bottle. */
export interface Registered {
  bottle_id: string;
  token: string;
}

interface Page<T> {
  items: T[];
  next_cursor?: string;
}

/** What staff do and look up, through support-api. */
export class StaffClient {
  constructor(
    private readonly support: RunningApp,
    private readonly token: string,
  ) {}

  /** @param spec `plan_of` is the id of a bottle */
  async register(spec: BottleSpec): Promise<Registered> {
    const { key: _key, gateway: _gateway, ...bottle } = spec;
    return (await this.request('POST', '/v1/bottles', bottle)) as Registered;
  }

  /** Without a body the contact is deleted. Its addresses are verified, unless it says otherwise. */
  async changeContact({ user_id, body }: ContactChange): Promise<void> {
    const path = `/v1/contacts/${encodeURIComponent(user_id)}`;
    await (body ? this.request('PUT', path, verified(body)) : this.request('DELETE', path));
  }

  /** Adds an endpoint of webhooks. @returns the channel of its notifications, and its secret */
  async addEndpoint(body: object): Promise<{ channel: string; secret: string }> {
    return (await this.request('POST', '/v1/webhook-endpoints', body)) as { channel: string; secret: string };
  }

  /** Registers a gateway that reports for these bottles. @returns its token */
  async registerGateway(name: string, bottle_ids: string[]): Promise<string> {
    const { id, token } = (await this.request('POST', '/v1/gateways', { name })) as Record<string, string>;
    await this.request('POST', `/v1/gateways/${id}/assign`, { bottle_ids });
    return token!;
  }

  /** @param action `plan_of` is the id of a bottle. @throws when support-api refuses, or when there is no alert to act on. */
  async perform(action: StaffAction, bottleId: string): Promise<void> {
    switch (action.action) {
      case 'schedule':
        await this.request('PUT', `/v1/bottles/${bottleId}/schedule`, action.body);
        return;
      case 'remove_step': {
        const step = new URLSearchParams({ effective_from: action.effective_from }).toString();
        await this.request('DELETE', `/v1/bottles/${bottleId}/schedule?${step}`);
        return;
      }
      case 'pause': {
        const { from, to } = action;
        await this.request(
          'POST',
          `/v1/bottles/${bottleId}/pauses`,
          from === undefined ? { to } : { from, to },
        );
        return;
      }
      case 'period':
      case 'change_period':
      case 'remove_period':
        return this.performOnPeriod(action, bottleId);
      case 'attest': {
        const { scheduled_at, body } = action;
        await this.request('POST', `/v1/bottles/${bottleId}/attestations`, { scheduled_at, ...body });
        return;
      }
      case 'withdraw':
        return this.withdrawLast(bottleId, action.scheduled_at);
      case 'change':
        await this.request('PATCH', `/v1/bottles/${bottleId}`, {
          ...(action.time_zone !== undefined && { time_zone: action.time_zone }),
          ...(action.dose_times !== undefined && { dose_times: action.dose_times }),
          ...(action.user_id !== undefined && { user_id: action.user_id }),
          ...(action.plan_of !== undefined && { plan_of: action.plan_of }),
        });
        return;
      case 'retire':
      case 'store':
      case 'assign':
        await this.request('POST', `/v1/bottles/${bottleId}/${action.action}`, action.body);
        return;
      case 'erase':
        await this.request('DELETE', `/v1/bottles/${bottleId}`);
        return;
      default:
        await this.applyToAlerts(action, bottleId);
    }
  }

  /** Enters a period without monitoring, or changes or removes the one that was entered last. */
  private async performOnPeriod(
    { action, ofPerson, body }: Extract<StaffAction, { ofPerson: boolean }>,
    bottleId: string,
  ): Promise<void> {
    const { user_id } = (await this.request('GET', `/v1/bottles/${bottleId}`)) as { user_id: string };
    const owner = ofPerson ? `people/${encodeURIComponent(user_id)}` : `bottles/${bottleId}`;
    const path = `/v1/${owner}/periods`;
    if (action === 'period') return void (await this.request('POST', path, body));
    const { items } = (await this.request('GET', path)) as Page<{ id: string; recorded_at: string }>;
    const last = items.toSorted((one, other) => (one.recorded_at < other.recorded_at ? -1 : 1)).at(-1);
    if (!last) throw new Error('there is no period');
    await (action === 'change_period'
      ? this.request('PATCH', `${path}/${last.id}`, body)
      : this.request('DELETE', `${path}/${last.id}`));
  }

  /** Withdraws the statement that counts for a dose. */
  private async withdrawLast(bottleId: string, slot: string): Promise<void> {
    const path = `/v1/bottles/${bottleId}/attestations`;
    const entries = await this.all<{ id: string; at: string; kind: string; is_withdrawn: boolean }>(path, {
      from: slot,
      to: new Date(Date.parse(slot) + 1).toISOString(),
    });
    const standing = entries.filter(({ kind, is_withdrawn }) => kind !== 'withdrawn' && !is_withdrawn);
    const last = standing.toSorted((one, other) => (one.at < other.at ? -1 : 1)).at(-1);
    if (!last) throw new Error(`nobody attests the dose of ${slot}`);
    await this.request('POST', `${path}/${last.id}/withdraw`, {});
  }

  /** The doses of a bottle, by the instant of their slot: `missed`, or `missed, reported taken disagrees`. */
  async outcomes(bottleId: string, from: Date, to: Date): Promise<Map<number, string>> {
    const range = { from: from.toISOString(), to: new Date(to.getTime() + 1).toISOString() };
    const doses = await this.all<{
      scheduled_at: string;
      outcome: string;
      reported: { outcome: string; agreement: string } | null;
    }>(`/v1/bottles/${bottleId}/doses`, range);
    return new Map(
      doses.map(({ scheduled_at, outcome, reported }) => [
        Date.parse(scheduled_at),
        reported ? `${outcome}, reported ${reported.outcome} ${reported.agreement}` : outcome,
      ]),
    );
  }

  async status(bottleId: string): Promise<string> {
    return ((await this.request('GET', `/v1/bottles/${bottleId}`)) as { status: string }).status;
  }

  /** Acknowledges open alerts; the other actions apply to every alert that has not ended. */
  private async applyToAlerts(
    { action, kind, body }: Extract<StaffAction, { kind: string }>,
    bottleId: string,
  ): Promise<void> {
    const alerts = await this.all<{ id: string; state: string }>('/v1/alerts', { bottle_id: bottleId, kind });
    const states = action === 'acknowledge' ? ['open'] : ['open', 'acknowledged'];
    const open = alerts.filter(({ state }) => states.includes(state));
    if (open.length === 0) throw new Error(`there is no open alert "${kind}" to ${action}`);
    for (const { id } of open) await this.request('POST', `/v1/alerts/${id}/${action}`, body);
  }

  private async all<T>(path: string, query: Record<string, string>): Promise<T[]> {
    const items: T[] = [];
    let cursor: string | undefined;
    do {
      const search = new URLSearchParams({ ...query, limit: '200', ...(cursor ? { cursor } : {}) });
      const page = (await this.request('GET', `${path}?${search.toString()}`)) as Page<T>;
      items.push(...page.items);
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    return items;
  }

  private async request(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await this.support.send(method, path, this.token, body);
    if (answer.status >= 200 && answer.status < 300) return answer.body;
    throw new Error(`${method} ${path} got ${answer.status} ${JSON.stringify(answer.body)}`);
  }
}
