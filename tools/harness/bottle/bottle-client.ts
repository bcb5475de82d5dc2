import type { Dispatcher } from 'undici';
import { type Answer, postJson } from './http.js';

/** What a heartbeat may say; times are ISO 8601. */
export interface HeartbeatBody {
  sent_at?: string;
  battery_percent?: number;
  rssi_dbm?: number;
  mass_of_contents?: number;
  number_of_pills?: number;
}

/** One open or close; `pills_taken` if and only if closed. */
export interface ActionBody {
  action: 'opened' | 'closed';
  time: string;
  mass_of_contents: number;
  number_of_pills: number;
  pills_taken?: number;
  event_id?: string;
  sent_at?: string;
}

export type BatchItem = ({ type: 'heartbeat' } & HeartbeatBody) | ({ type: 'action' } & ActionBody);

export interface BatchBody {
  sent_at?: string;
  items: BatchItem[];
}

/** What became of a stored action. */
export interface ActionResult {
  id: string;
  duplicate: boolean;
}

/** What became of one item of a batch. */
export interface BatchItemResult {
  status: number;
  id?: string;
  code?: string;
  field?: string;
  detail?: string;
}

export interface BottleClientOptions {
  /** device-api's addresses, without a path: when one does not answer, the next is tried. */
  targets: readonly string[];
  /** The device's token, as registering gave it. */
  token: string;
  /** A pool to share between bottles; undici's own global one unless given. */
  dispatcher?: Dispatcher;
}

/** How long an answer may take where there is another address to try. Milliseconds. */
const ANOTHER_AFTER_MS = 3_000;

/**
 * What a bottle's firmware says to device-api: one request a call, no retries. Any HTTP answer is returned,
 * refusals included; only a request without an answer throws.
 */
export class BottleClient {
  private failures = 0;

  constructor(private readonly options: BottleClientOptions) {}

  /** A sign of life. 204 when stored. */
  heartbeat(body?: HeartbeatBody): Promise<Answer<undefined>> {
    return this.post('/v1/heartbeats', body);
  }

  /** One open or close. 201 when stored, 200 when it was there already. */
  action(body: ActionBody): Promise<Answer<ActionResult>> {
    return this.post('/v1/actions', body);
  }

  /** The backlog, up to 500 items. 200, with one result an item in their order. */
  batch(body: BatchBody): Promise<Answer<{ results: BatchItemResult[] }>> {
    return this.post('/v1/batch', body);
  }

  private async post<T>(path: string, body: unknown): Promise<Answer<T>> {
    const { targets, token, dispatcher } = this.options;
    const url = new URL(path, targets[this.failures % targets.length]);
    const answerWithin = targets.length > 1 ? ANOTHER_AFTER_MS : undefined;
    const failed = (): void => void (this.failures += 1);
    const answer = await postJson<T>({ url, token, body, dispatcher, answerWithin }).catch(
      (error: unknown) => {
        failed();
        throw error;
      },
    );
    if (answer.status >= 500) failed();
    return answer;
  }
}
