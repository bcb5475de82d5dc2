import type { Action } from '../../../api/schema.js';
import { t } from '../../../i18n/i18n.js';
import { amountText, pluralOf } from '../../../i18n/pills.js';

/** What a closing reported of the pills; neither how many were removed nor how many are left need be known. */
export function closedText({
  pills_taken: taken,
  number_of_pills: left,
}: Pick<Action, 'pills_taken' | 'number_of_pills'>): string {
  return left === null ? closedUncounted(taken) : closedWith(taken, amountText(left));
}

function closedWith(taken: number | null, left: string): string {
  if (taken === null) return t('Closed; how many pills were removed is not known, {{left}} left', { left });
  return taken === 0
    ? t('Closed: no pills removed, {{left}} left', { left })
    : t('Closed: {{pills}} pills removed, {{left}} left', {
        count: pluralOf(taken),
        pills: amountText(taken),
        left,
      });
}

/** The bottle did not report how many are left. */
function closedUncounted(taken: number | null): string {
  if (taken === null) return t('Closed; how many pills were removed is not known');
  return taken === 0
    ? t('Closed: no pills removed')
    : t('Closed: {{pills}} pills removed', { count: pluralOf(taken), pills: amountText(taken) });
}
