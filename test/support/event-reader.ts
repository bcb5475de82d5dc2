import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

export interface ServerEvent {
  id?: string;
  event: string;
  data: Record<string, string>;
}

/** A client of server-sent events that keeps all it hears. */
export class EventReader {
  readonly events: ServerEvent[] = [];
  lastId = '';
  ended = false;
  private rest = '';

  private constructor(private readonly answer: IncomingMessage) {
    answer.setEncoding('utf8');
    answer.on('data', (text: string) => this.take(text));
    answer.on('error', () => undefined);
    answer.on('close', () => (this.ended = true));
  }

  /** @throws the answer's status when it is no stream */
  static async open(url: string, headers: Record<string, string>): Promise<EventReader> {
    const request = get(url, { headers, agent: false });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    if (answer.statusCode !== 200) {
      answer.resume();
      throw new Error(String(answer.statusCode));
    }
    return new EventReader(answer);
  }

  get headers(): IncomingMessage['headers'] {
    return this.answer.headers;
  }

  /** The events of this kind. */
  of(event: string): ServerEvent['data'][] {
    return this.events.filter((each) => each.event === event).map(({ data }) => data);
  }

  /** Reads no more, and stays. */
  pause(): void {
    this.answer.pause();
  }

  close(): void {
    this.answer.destroy();
  }

  private take(text: string): void {
    const parts = (this.rest + text).split('\n\n');
    this.rest = parts.pop()!;
    for (const part of parts) {
      const fields = Object.fromEntries(
        part.split('\n').map((line) => /^(\w+): (.*)$/.exec(line)!.slice(1) as [string, string]),
      );
      const { id, event = 'message', data = '' } = fields;
      if (id !== undefined) this.lastId = id;
      const body = JSON.parse(data) as ServerEvent['data'];
      this.events.push({ event, data: body, ...(id === undefined ? {} : { id }) });
    }
  }
}
