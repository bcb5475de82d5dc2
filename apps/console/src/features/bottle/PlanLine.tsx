import { Link } from '@tanstack/react-router';
import { Trans } from 'react-i18next';
import type { Bottle } from '../../api/schema.js';
import { t } from '../../i18n/i18n.js';
import { amountText, pluralOf } from '../../i18n/pills.js';
import { Moment } from '../../time/Moment.js';

/** With which other bottles it shares a plan; nothing if it shares none. */
export function PlanLine({ bottle: { plan_of, plan_members } }: { bottle: Bottle }) {
  if (plan_of === null && plan_members.length === 0) return null;
  return (
    <p>
      <Others plan_of={plan_of} plan_members={plan_members} />
    </p>
  );
}

function Others({ plan_of, plan_members }: Pick<Bottle, 'plan_of' | 'plan_members'>) {
  if (plan_of)
    return (
      <Trans
        i18nKey="For the plan of <bottle>{{id}}</bottle>: pills removed from either count for its doses."
        values={{ id: plan_of }}
        components={{ bottle: <Link to="/bottles/$bottleId" params={{ bottleId: plan_of }} /> }}
      />
    );
  return plan_members.map(({ bottle_id, since, pills_left }) => (
    <span key={bottle_id}>
      <Trans
        i18nKey="Also for this plan since <at/>: <bottle>{{id}}</bottle>"
        values={{ id: bottle_id }}
        components={{
          at: <Moment at={since} />,
          bottle: <Link to="/bottles/$bottleId" params={{ bottleId: bottle_id }} />,
        }}
      />
      {pills_left !== null &&
        ` (${t('{{pills}} pills', { count: pluralOf(pills_left), pills: amountText(pills_left) })})`}{' '}
    </span>
  ));
}
