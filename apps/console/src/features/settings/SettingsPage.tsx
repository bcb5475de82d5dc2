import { useQuery } from '@tanstack/react-query';
import { Trans } from 'react-i18next';
import { get } from '../../api/request.js';
import { useMay } from '../../api/session.js';
import type { Instant } from '../../api/vocabulary.js';
import { channelName } from '../../channels.js';
import { Moment } from '../../time/Moment.js';
import { Facts } from '../../ui/Facts.js';
import { Table } from '../../ui/List.js';
import { Marked } from '../../ui/Mark.js';
import { PageHead } from '../../ui/PageHead.js';
import { Panel } from '../../ui/Panel.js';
import { NoAccess, Pending } from '../../ui/States.js';
import { DELIVERY_STATUS } from '../notifications/notifications.js';
import classes from './SettingsPage.module.css';
import { WebhookEndpoints } from './WebhookEndpoints.js';
import { t } from '../../i18n/i18n.js';

interface ChannelHealth {
  channel: string;
  set_up: boolean | null;
  last_delivered_at: Instant | null;
  due_since: Instant | null;
  failed: number;
}

interface Settings {
  settings: { name: string; value: string }[];
  channels: ChannelHealth[];
  versions: { name: string; version: string }[];
}

/** What the settings mean to staff. */
const MEANINGS: Record<string, string> = {
  SILENT_BOTTLE_AFTER: t('A bottle is silent after'),
  OPEN_BOTTLE_AFTER: t('A bottle is left open after'),
  BATTERY_LOW_PERCENT: t('A battery is low below (percent)'),
  HEARTBEAT_RETENTION: t('Heartbeats are kept for'),
  SESSION_IDLE_TIMEOUT: t('A session ends without activity after'),
  MAIL_NAMES_MEDICATION: t('E-mails name the medication'),
  SMS_NAMES_MEDICATION: t('SMS name the medication'),
  SECOND_FACTOR: t('A second factor is required from the role'),
  PUBLIC_URL: t('Address in links of messages'),
};

/** What the service is set to, how notifications fare, and versions. It is changed in the environment. */
export function SettingsPage() {
  const isSupport = useMay('support');
  const isAdmin = useMay('admin');
  const query = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => get<Settings>('/v1/settings', { signal }),
    refetchInterval: 30_000,
    enabled: isSupport,
  });
  if (!isSupport)
    return (
      <NoAccess title={t('Settings')}>
        {t('Seeing the settings requires the support or admin role.')}
      </NoAccess>
    );
  const { data } = query;
  return (
    <>
      <PageHead title={t('Settings')} lead={t('Set these in the services’ environment.')} />
      {data ? (
        <div className={classes['panels']}>
          <Panel title={t('Thresholds')}>
            <Facts
              rows={data.settings.map(({ name, value }) => [
                MEANINGS[name] ?? name,
                value === 'not set' ? t('not set') : value,
              ])}
            />
          </Panel>
          <Panel title={t('Notifications')} flush>
            <Table columns={COLUMNS} rows={data.channels} rowKey={({ channel }) => channel} />
          </Panel>
          {isAdmin && <WebhookEndpoints />}
          <Panel title={t('Versions')}>
            <Facts rows={data.versions.map(({ name, version }) => [name, version])} />
          </Panel>
        </div>
      ) : (
        <Pending query={query} lines={8} />
      )}
    </>
  );
}

/** Of a channel over which nothing waits: whether anything could be sent. */
function SetUp({ setUp }: { setUp: boolean | null }) {
  if (setUp === null) return <Marked of={DELIVERY_STATUS.dead}>{t('No notifier is running')}</Marked>;
  if (!setUp)
    return <Marked of={DELIVERY_STATUS.cancelled}>{t('Not set up: nothing is sent over it')}</Marked>;
  return <Marked of={DELIVERY_STATUS.delivered}>{t('Nothing waits')}</Marked>;
}

const COLUMNS = [
  { title: t('Channel'), cell: ({ channel }: ChannelHealth) => channelName(channel) },
  {
    title: t('State'),
    cell: ({ set_up, due_since, failed }: ChannelHealth) =>
      due_since || failed > 0 ? (
        <Marked of={DELIVERY_STATUS[failed > 0 ? 'dead' : 'pending']}>
          {failed > 0 && t('{{count, number}} failed in 24 hours', { count: failed })}
          {failed > 0 && due_since && '; '}
          {due_since && <Trans i18nKey="due since <at/>" components={{ at: <Moment at={due_since} /> }} />}
        </Marked>
      ) : (
        <SetUp setUp={set_up} />
      ),
  },
  {
    title: t('Last delivered'),
    cell: ({ last_delivered_at: at }: ChannelHealth) => (at ? <Moment at={at} /> : t('None recently')),
  },
];
