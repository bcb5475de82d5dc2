import { mayHaveArrived } from './delivery.js';
import { delivery, NO_ANSWER, REFUSED } from './testing.js';

it('an attempt without a result may have arrived; one without a connection did not', () => {
  const results = [NO_ANSWER, REFUSED].map((attempt) =>
    mayHaveArrived(delivery('raised', { attempts: [attempt] })),
  );
  expect(results).toEqual([true, false]);
});
