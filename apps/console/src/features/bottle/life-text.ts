import type { Bottle } from '../../api/schema.js';
import { t } from '../../i18n/i18n.js';

type Life = NonNullable<Bottle['life']>;

export const LIFE_LABELS: Record<Life['state'], string> = {
  in_use: t('In use'),
  stored: t('Stored'),
  retired: t('Retired'),
};

export const RETIRE_REASONS: Record<NonNullable<Life['reason']>, string> = {
  returned: t('Returned'),
  lost: t('Lost'),
  broken: t('Broken'),
  owner_died: t('Owner died'),
};

/** `Retired (Lost)` */
export function lifeText({ state, reason }: Pick<Life, 'state' | 'reason'>): string {
  return reason === null ? LIFE_LABELS[state] : `${LIFE_LABELS[state]} (${RETIRE_REASONS[reason]})`;
}
