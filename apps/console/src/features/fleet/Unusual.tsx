import { useQuery } from '@tanstack/react-query';
import { Trans } from 'react-i18next';
import { alertKind } from '../../alert-kinds/alert-kinds.js';
import { get } from '../../api/request.js';
import type { Compared, FleetComparison } from '../../api/schema.js';
import { Period, useZone } from '../../time/Moment.js';
import { Marked, meaningOf } from '../../ui/Mark.js';
import { Panel } from '../../ui/Panel.js';
import { DELIVERY_STATUS } from '../notifications/notifications.js';
import { REPORTS } from './Activity.js';
import layout from './FleetPage.module.css';
import meters from './Meters.module.css';
import { t, numberText } from '../../i18n/i18n.js';

/** The hour changes once an hour, some minutes after its end. */
const REFRESH_MS = 60_000;

/** What is unusual now, beside the same hour of the last weeks. */
export function Unusual() {
  const zone = useZone();
  const { data, error } = useQuery({
    queryKey: ['comparison', zone],
    queryFn: ({ signal }) =>
      get<FleetComparison>('/v1/fleet/comparison', { query: { time_zone: zone }, signal }),
    refetchInterval: REFRESH_MS,
  });
  if (error && !data) return null;
  const unusual = data?.items.filter((item) => item.unusual !== null) ?? [];
  return (
    <Panel
      title={t('Unusual now')}
      aside={data && <Period from={data.from} to={data.to} />}
      className={layout['wide']}
    >
      {!data ? (
        // as high as what comes, so that nothing below jumps
        <p>{'…'}</p>
      ) : data.weeks < FEWEST_WEEKS ? (
        <p className={meters['label']}>
          {t('This hour is compared with the same hour of earlier weeks as soon as there are two.')}
        </p>
      ) : unusual.length === 0 ? (
        <p>{t('Nothing: as in the same hour of the last {{count, number}} weeks.', { count: data.weeks })}</p>
      ) : (
        <ul>
          {unusual.map((item) => (
            <li key={`${item.series} ${item.key}`} className={meters['line']}>
              <span>{nameOf(item)}</span>
              <span>
                <Trans
                  i18nKey="<strong>{{now}}</strong>, usually {{low}} to {{high}}"
                  values={{
                    now: numberText(item.now ?? 0),
                    low: numberText(item.low),
                    high: numberText(item.high),
                  }}
                  components={{ strong: <strong className={meters['late']} /> }}
                />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** With one week, nothing is usual. */
const FEWEST_WEEKS = 2;

function nameOf({ series, key, label }: Compared) {
  if (series === 'alerts') return <Marked of={alertKind(key)} />;
  if (series === 'deliveries')
    return t('Notifications: {{status}}', { status: meaningOf(DELIVERY_STATUS, key).label });
  return REPORTS[key as keyof typeof REPORTS]?.label ?? label;
}
