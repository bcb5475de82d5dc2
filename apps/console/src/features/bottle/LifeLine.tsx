import { Trans } from 'react-i18next';
import { t } from '../../i18n/i18n.js';
import { Moment } from '../../time/Moment.js';
import { lifeText } from './life-text.js';
import { useBottle } from './queries.js';

/** `Retired (Lost) since 2 March 2026, 08:00, by Carol Smith: “On a train.”` */
export function LifeLine() {
  const { life } = useBottle();
  if (!life) return null;
  const { since, by, note } = life;
  return (
    <>
      <Trans
        i18nKey="{{life}} since <at/>"
        values={{ life: lifeText(life) }}
        components={{ at: <Moment at={since} /> }}
      />
      {by && `, ${t('by {{name}}', { name: by })}`}
      {note && ` ${t('“{{text}}”', { text: note })}`}
    </>
  );
}
