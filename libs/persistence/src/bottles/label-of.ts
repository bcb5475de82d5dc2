import type { Alert, MessageNames } from '#domain';
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

/**
 * How messages about an alert name its person and its bottle.
 *
 * @param bottles by the bottle's id in hex
 * @param user_name as the contact of the alert's user names the person
 */
export function namesOf(
  alert: Parameters<typeof labelOf>[0],
  bottles: Parameters<typeof labelOf>[1],
  user_name: string | undefined,
): MessageNames {
  const label = labelOf(alert, bottles);
  return { ...(label !== undefined && { label }), ...(user_name !== undefined && { user_name }) };
}
