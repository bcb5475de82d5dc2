import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** One end of the IPC channel between a worker and its primary: `process`, or a `cluster.Worker`. */
export interface Transport {
  send?: (message: object, done: (error: Error | null) => void) => unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

interface Message {
  type: 'worker-request' | 'worker-response';
  id: string;
  request: string;
  response?: unknown;
}

type Handler = () => unknown;

/** Requests and responses between a worker and its primary, in both directions. */
export class WorkerChannel {
  private readonly handlers = new Map<string, Handler>();
  private readonly pending = new Map<string, (response: unknown) => void>();

  constructor(private readonly transport: Transport) {
    transport.on('message', (message) => {
      if (isMessage(message)) void this.receive(message);
    });
  }

  /** Answers a request of the other end. If the handler throws, no response is sent. */
  handle(request: string, handler: Handler): void {
    this.handlers.set(request, handler);
  }

  /** @returns undefined if there is no response within `timeoutMs`. */
  async request(request: string, timeoutMs: number): Promise<unknown> {
    const id = randomUUID();
    const responded = new Promise<unknown>((resolve) => this.pending.set(id, resolve));
    const timeout = new AbortController();
    this.send({ type: 'worker-request', id, request });
    try {
      return await Promise.race([
        responded,
        sleep(timeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined),
      ]);
    } finally {
      timeout.abort();
      this.pending.delete(id);
    }
  }

  private async receive({ type, id, request, response }: Message): Promise<void> {
    if (type === 'worker-response') return this.pending.get(id)?.(response);
    const handler = this.handlers.get(request);
    // a process may have several channels on one transport; another one may have the handler
    if (!handler) return;
    try {
      this.send({ type: 'worker-response', id, request, response: await handler() });
    } catch {
      // the requester times out
    }
  }

  private send(message: Message): void {
    // if the other end is gone, the requester times out
    this.transport.send?.(message, () => undefined);
  }
}

function isMessage(message: unknown): message is Message {
  return (
    typeof message === 'object' &&
    message !== null &&
    'type' in message &&
    (message.type === 'worker-request' || message.type === 'worker-response')
  );
}
