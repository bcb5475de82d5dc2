import type { Dispatcher } from 'undici';
import { type Answer, postJson } from './bottle/http.js';

/** The request that registers a bottle with support-api. */
export interface NewBottle {
  user_id: string;
  medication: string;
  time_zone: string;
  number_of_pills?: number;
  schedule?: object;
}

/** What a bottle is given for its life: its name and its secret. */
export interface Registration {
  bottle_id: string;
  token: string;
}

export interface SupportClientOptions {
  /** Address of support-api, without a path. */
  support: string;
  adminToken: string;
  dispatcher?: Dispatcher;
}

/** The part of support-api that brings bottles into being. No retries; as BottleClient otherwise. */
export class SupportClient {
  constructor(private readonly options: SupportClientOptions) {}

  /** Registers a bottle. 201; the token is shown this once. */
  register(bottle: NewBottle): Promise<Answer<Registration>> {
    return this.send('POST', '/v1/bottles', bottle);
  }

  /** Prescribes again, from now on. */
  schedule(bottleId: string, schedule: object): Promise<Answer<unknown>> {
    return this.send('PUT', `/v1/bottles/${bottleId}/schedule`, { schedule });
  }

  private send<T>(method: 'POST' | 'PUT', path: string, body: unknown): Promise<Answer<T>> {
    const { support, adminToken, dispatcher } = this.options;
    return postJson<T>({ url: new URL(path, support), token: adminToken, method, body, dispatcher });
  }
}
