import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Journal, type JournalLine } from './journal.js';

describe('the journal of received messages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pillwatch-journal-'));
  const path = join(folder, 'journal.jsonl');
  const journal = new Journal(path);
  const write = (line: JournalLine): void => appendFileSync(path, `${JSON.stringify(line)}\n`);
  const mail = (ids: string, bottles: string): { headers: Map<string, string> } => ({
    headers: new Map([
      ['x-pillwatch-delivery', ids],
      ['x-pillwatch-bottle', bottles],
      ['x-pillwatch-kind', bottles.replaceAll(/\w+/g, 'bottle_open')],
      ['x-pillwatch-event', bottles.replaceAll(/\w+/g, 'raised')],
    ]),
  });
  afterAll(() => {
    journal.close();
    rmSync(folder, { recursive: true });
  });

  it('has what the receiver wrote before, between and after mails, and each message of a mail', async () => {
    write({ event: 'received', id: '1', content: 'a bottle_open raised' });
    journal.recordMail(mail('2, 3', 'b, c'));
    write({ event: 'received', id: '4', content: 'd bottle_open raised' });
    await Promise.all(['a', 'b', 'c', 'd'].map((bottle) => journal.until(`${bottle} bottle_open raised`)));
    expect(journal.requests).toBe(4);
  });

  it('counts a mail that comes again', async () => {
    journal.recordMail(mail('3, 5', 'c, e'));
    await journal.until('e bottle_open raised');
    expect(journal.repeated).toBe(1);
  });
});
