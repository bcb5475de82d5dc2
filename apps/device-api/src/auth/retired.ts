import { lifeOf } from '#domain';
import type { DeviceIdentity } from '#persistence';
import { Problem } from '#platform';

/** Nothing is taken of a retired bottle, by whatever way; its token works again when it is assigned (LIFE-4). @throws Problem 403 */
export function assertNotRetired(device: DeviceIdentity): void {
  if (lifeOf(device) === 'retired') throw new Problem(403, 'bottle_retired', 'This bottle is retired.');
}
