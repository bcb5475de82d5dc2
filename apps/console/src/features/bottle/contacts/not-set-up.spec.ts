import { notSetUpTexts } from './not-set-up.js';

const channels = (...all: (boolean | null)[]) =>
  ['email', 'sms', 'push'].map((channel, index) => ({ channel, set_up: all[index] ?? null }));

describe('what is missing so that messages go out', () => {
  it('is nothing where all is set up', () => {
    expect(notSetUpTexts(channels(true, true, true), true)).toEqual([]);
  });

  it('is each channel without settings, and the public address', () => {
    expect(notSetUpTexts(channels(false, true, false), false)).toEqual([
      'Not set up, so that nothing is sent over it: e-mail and browser.',
      'PUBLIC_URL is not set: messages have no link to answer by.',
    ]);
  });

  it('is a notifier', () => {
    expect(notSetUpTexts(channels(null, null, null), true)).toEqual([
      'No notifier is running: nothing is sent.',
    ]);
  });
});
