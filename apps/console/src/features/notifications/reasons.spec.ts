import { readFileSync } from 'node:fs';
import { noteText, REASONS, reasonText } from './reasons.js';

it('shows a reason in the page’s words, and what it does not know as it was sent', () => {
  expect(reasonText("delayed: recipient's message limit reached")).toBe(
    'the recipient’s hourly limit is reached',
  );
  expect(reasonText('10 attempts failed')).toBe('10 attempts failed');
  expect(reasonText('something new')).toBe('something new');
});

it('knows every reason that the notifier writes when it rechecks a notification', () => {
  const source = readFileSync('apps/notifier/src/delivery/recheck.ts', 'utf8');
  const written = [...source.matchAll(/reason: ['"`](.+?)['"`],?[ \n]/g)].flatMap(([, reason]) =>
    ['open', 'acknowledged', 'resolved', 'retracted', 'closed'].map((state) =>
      reason!.replace('${alert.state}', state),
    ),
  );
  expect(written.length).toBeGreaterThan(10);
  expect(written.filter((reason) => !Object.hasOwn(REASONS, reason))).toEqual([]);
});

it('shows what the notifier notes in the page’s words, and what people note as they wrote it', () => {
  expect(noteText('ended by the hourly reconcile')).toBe('ended by the hourly comparison with the log');
  expect(noteText('called her')).toBe('called her');
});
