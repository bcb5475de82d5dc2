import { noteText, reasonText } from './reasons.js';

it('shows a reason in the page’s words, and what it does not know as it was sent', () => {
  expect(reasonText("delayed: recipient's message limit reached")).toBe(
    'the recipient’s hourly limit is reached',
  );
  expect(reasonText('10 attempts failed')).toBe('10 attempts failed');
  expect(reasonText('something new')).toBe('something new');
});

it('shows what the notifier notes in the page’s words, and what people note as they wrote it', () => {
  expect(noteText('ended by the hourly reconcile')).toBe('ended by the hourly comparison with the log');
  expect(noteText('called her')).toBe('called her');
});
