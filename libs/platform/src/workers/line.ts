import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** One end of the channel between a worker and its primary: `process`, or a `cluster.Worker`. */
export interface Channel {
  send?: (message: object, done: (error: Error | null) => void) => unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

interface Message {
  line: 'ask' | 'answer';
  id: string;
  question: string;
  answer?: unknown;
}

type Answer = () => unknown;

/** Questions and answers between a worker and its primary. What is said is for both ends to agree on. */
export class Line {
  private readonly answers = new Map<string, Answer>();
  private readonly asked = new Map<string, (answer: unknown) => void>();

  constructor(private readonly channel: Channel) {
    channel.on('message', (message) => {
      if (isOurs(message)) void this.receive(message);
    });
  }

  /** How the other end's question is answered; what is thrown is no answer. */
  onAsked(question: string, answer: Answer): void {
    this.answers.set(question, answer);
  }

  /** @returns undefined when there is no answer within `patience` (milliseconds). */
  async ask(question: string, patience: number): Promise<unknown> {
    const id = randomUUID();
    const answered = new Promise<unknown>((resolve) => this.asked.set(id, resolve));
    const given = new AbortController();
    this.send({ line: 'ask', id, question });
    try {
      return await Promise.race([
        answered,
        sleep(patience, undefined, { signal: given.signal }).catch(() => undefined),
      ]);
    } finally {
      given.abort();
      this.asked.delete(id);
    }
  }

  private async receive({ line, id, question, answer }: Message): Promise<void> {
    if (line === 'answer') return this.asked.get(id)?.(answer);
    const find = this.answers.get(question);
    // another line on the same channel may know
    if (!find) return;
    try {
      this.send({ line: 'answer', id, question, answer: await find() });
    } catch {
      // whoever asked finds that there is no answer
    }
  }

  private send(message: Message): void {
    // when the other end is gone, nobody answers
    this.channel.send?.(message, () => undefined);
  }
}

function isOurs(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'line' in message && 'question' in message;
}
