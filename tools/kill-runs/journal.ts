import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import type { ReceivedMail } from '../harness/smtp-sink.js';
import type { ReceivedMessage } from '../harness/webhook-receiver.js';

const FOLLOW_MS = 10;
const CHUNK = 65_536;

/** What a message reports, as `BOTTLE KIND EVENT`. */
export type Content = string;

export const contentOf = ({ bottle_id, kind, event }: ReceivedMessage['data']): Content =>
  `${bottle_id} ${kind} ${event}`;

/** What receiver-process.ts writes, line by line. */
export type JournalLine =
  | { event: 'started' }
  | { event: 'answered'; id: string }
  | { event: 'received' | 'repeated'; id: string; content: Content };

/** The messages that the receiver process has on disk, read while it writes them. */
export class Journal {
  /** By content, the ids under which it was received. */
  readonly received = new Map<Content, Set<string>>();
  /** How many messages came again under their id. */
  repeated = 0;
  /** How many messages came, repeats included. */
  requests = 0;
  private readonly unansweredIds = new Set<string>();
  private readonly waiting = new Map<Content, (() => void)[]>();
  private readonly file: number;
  private readonly timer: NodeJS.Timeout;
  private readonly mailed = new Set<string>();
  private place = 0;
  private rest = '';

  constructor(readonly path: string) {
    this.file = openSync(path, 'a+');
    this.timer = setInterval(() => this.follow(), FOLLOW_MS);
  }

  /** How many messages the receiver has accepted and not answered yet. */
  get unanswered(): number {
    return this.unansweredIds.size;
  }

  /** Resolves when this has been received. */
  async until(content: Content): Promise<void> {
    if (this.received.has(content)) return;
    await new Promise<void>((resolve) => {
      const others = this.waiting.get(content) ?? [];
      this.waiting.set(content, [...others, resolve]);
    });
  }

  /** Adds the messages of a mail, each once under its id. */
  recordMail({ headers }: Pick<ReceivedMail, 'headers'>): void {
    const [ids = [], bottles = [], kinds = [], events = []] = ['delivery', 'bottle', 'kind', 'event'].map(
      (name) => (headers.get(`x-pillwatch-${name}`) ?? '').split(',').map((text) => text.trim()),
    );
    const lines = ids.filter(Boolean).flatMap((id, index): JournalLine[] => {
      const content = `${bottles[index]} ${kinds[index]} ${events[index]}`;
      const event = this.mailed.has(id) ? 'repeated' : 'received';
      this.mailed.add(id);
      return [
        { event, id, content },
        { event: 'answered', id },
      ];
    });
    // the receiver may have been killed in the middle of a line
    for (const line of lines) writeSync(this.file, `\n${JSON.stringify(line)}\n`);
  }

  close(): void {
    clearInterval(this.timer);
    this.follow();
    closeSync(this.file);
  }

  private follow(): void {
    const chunk = Buffer.alloc(CHUNK);
    for (let size = 1; size > 0;) {
      // a place of its own: writing moves that of the file to its end
      size = readSync(this.file, chunk, 0, CHUNK, this.place);
      this.place += size;
      this.rest += chunk.toString('latin1', 0, size);
    }
    const lines = this.rest.split('\n');
    this.rest = lines.pop()!;
    for (const text of lines) {
      const line = parseLine(text);
      if (line) this.apply(line);
    }
  }

  private apply(line: JournalLine): void {
    // a killed receiver answers none of the messages that it had accepted
    if (line.event === 'started') return this.unansweredIds.clear();
    if (line.event === 'answered') return void this.unansweredIds.delete(line.id);
    const { content } = line;
    this.requests += 1;
    this.unansweredIds.add(line.id);
    if (line.event === 'repeated') this.repeated += 1;
    this.received.set(content, (this.received.get(content) ?? new Set()).add(line.id));
    for (const resolve of this.waiting.get(content) ?? []) resolve();
    this.waiting.delete(content);
  }
}

/** Undefined for a line in the middle of which the receiver was killed. */
export function parseLine(line: string): JournalLine | undefined {
  try {
    return JSON.parse(line) as JournalLine;
  } catch {
    return undefined;
  }
}
