import type { Alert } from '#domain';
import type { BottleDescription } from './bottles.repository.js';

/**
 * By which people tell the bottle of an alert from their other ones; undefined if it has no label, or is another person's by
 * now, who may have given it one.
 *
 * @param bottles by the bottle's id in hex
 */
export function labelOf(
  { bottle_id, user_id }: { bottle_id: { toHexString(): string } } & Pick<Alert, 'user_id'>,
  bottles: ReadonlyMap<string, Pick<BottleDescription, 'user_id' | 'label'>>,
): string | undefined {
  const bottle = bottles.get(bottle_id.toHexString());
  return (bottle?.user_id === user_id && bottle.label) || undefined;
}
