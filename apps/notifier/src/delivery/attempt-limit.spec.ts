import { jest } from '@jest/globals';
import { AttemptLimit } from './attempt-limit.js';
import { DeliveryError } from './channel.js';

const forEver = new Promise<never>(() => undefined);

it('ends an attempt after its time, even one that does not listen to its signal', async () => {
  let signal: AbortSignal | undefined;
  const attempt = new AttemptLimit().run(10, (given) => {
    signal = given;
    return forEver;
  });
  await expect(attempt).rejects.toEqual(new DeliveryError('no answer in time'));
  expect(signal!.aborted).toBe(true);
});

it('leaves to an attempt that heeds its signal to say how it ended', async () => {
  const attempt = new AttemptLimit().run(
    10,
    (signal) =>
      new Promise<never>((_resolve, reject) => {
        const end = (): void => reject(new DeliveryError('nothing was sent', { unsent: true }));
        signal.addEventListener('abort', end, { once: true });
      }),
  );
  await expect(attempt).rejects.toMatchObject({ message: 'nothing was sent', unsent: true });
});

it('leaves an attempt that ends in time alone', async () => {
  const limit = new AttemptLimit();
  let signal: AbortSignal | undefined;
  const answered = limit.run(60_000, async (given) => {
    signal = given;
    return 204;
  });
  expect(await answered).toBe(204);
  expect(signal!.aborted).toBe(false);
  await expect(limit.run(60_000, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
});

it('does not outlive a shutdown: attempts that wait for an answer are ended', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  try {
    const limit = new AttemptLimit();
    const attempt = limit.run(60_000, () => forEver);
    limit.onModuleDestroy();
    jest.advanceTimersByTime(5_000);
    await expect(attempt).rejects.toThrow('the notifier stopped');
  } finally {
    jest.useRealTimers();
  }
});
