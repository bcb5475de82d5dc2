import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Trans } from 'react-i18next';
import { alertKind } from '../../alert-kinds/alert-kinds.js';
import { get, patch, post, remove } from '../../api/request.js';
import type { WebhookEndpoint } from '../../api/schema.js';
import { joinList, t } from '../../i18n/i18n.js';
import { Moment } from '../../time/Moment.js';
import { Table } from '../../ui/List.js';
import { Marked } from '../../ui/Mark.js';
import { notify, notifyError } from '../../ui/notify.js';
import { Panel } from '../../ui/Panel.js';
import { TokenOnce } from '../../ui/TokenOnce.js';
import { DELIVERY_STATUS } from '../notifications/notifications.js';
import { EndpointDialog } from './EndpointDialog.js';
import classes from './SettingsPage.module.css';

interface Endpoints {
  items: WebhookEndpoint[];
  kinds_not_taken: string[];
}

/** A secret that the server has just made. */
interface Made {
  name: string;
  secret: string;
}

/** What an endpoint is called: staff's words, else its host. */
export function endpointName({ url, description }: WebhookEndpoint): string {
  if (description !== null) return description;
  return url === null ? t('WEBHOOK_URL') : new URL(url).host;
}

/** The receivers of webhooks: what they want, how they fare, and what can be done about it. */
export function WebhookEndpoints() {
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: ['webhook-endpoints'],
    queryFn: ({ signal }) => get<Endpoints>('/v1/webhook-endpoints', { signal }),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ test }) => test?.state === 'pending') ? 1_000 : 30_000,
  });
  const [edited, setEdited] = useState<WebhookEndpoint | 'new'>();
  const [made, setMade] = useState<Made>();
  const changed = (): void => void client.invalidateQueries({ queryKey: ['webhook-endpoints'] });
  if (!data) return null;
  return (
    <Panel title={t('Webhook endpoints')}>
      <p className={classes['explanation']}>
        {t('Each gets every notification to the operator and to people who use the webhook, if it wants it.')}
      </p>
      {data.items.filter(needsAttention).map((endpoint) => (
        <Attention key={endpoint.id} endpoint={endpoint} />
      ))}
      {data.kinds_not_taken.length > 0 && (
        <p role="alert" className={classes['warning']}>
          {t(
            'No endpoint takes these alerts at the moment: {{kinds}}. What has no other recipient is only in the console and in the notifier’s output.',
            { kinds: joinList(data.kinds_not_taken.map((kind) => alertKind(kind).label)) },
          )}
        </p>
      )}
      {made && <TokenOnce token={made.secret} name={t('Secret of “{{name}}”', { name: made.name })} />}
      <Table
        rows={data.items}
        rowKey={({ id }) => id}
        columns={[
          {
            title: t('Endpoint'),
            cell: (endpoint) => (
              <>
                <strong>{endpointName(endpoint)}</strong>
                <div className={classes['small']}>
                  {endpoint.url ?? t('set in the notifier’s environment')}
                </div>
                <div className={classes['small']}>{wantedText(endpoint)}</div>
              </>
            ),
          },
          { title: t('State'), cell: (endpoint) => <State endpoint={endpoint} /> },
          {
            title: t('Last delivered'),
            cell: ({ last_delivered_at: at, channel }) => (
              <>
                {at ? <Moment at={at} /> : t('None recently')}
                <div className={classes['small']}>
                  <Link to="/messages" search={{ channel, status: 'all' }}>
                    {t('Attempts')}
                  </Link>
                </div>
              </>
            ),
          },
          {
            title: t('Actions'),
            hiddenTitle: true,
            as: 'number',
            cell: (endpoint) => (
              <Actions
                endpoint={endpoint}
                onChanged={changed}
                onEdit={() => setEdited(endpoint)}
                onSecret={(secret) => setMade({ name: endpointName(endpoint), secret })}
              />
            ),
          },
        ]}
      />
      <Button variant="default" onClick={() => setEdited('new')}>
        {t('Add endpoint')}
      </Button>
      {edited && (
        <EndpointDialog
          endpoint={edited === 'new' ? undefined : edited}
          onSaved={(saved) => {
            if (saved.secret !== undefined) setMade({ name: endpointName(saved), secret: saved.secret });
            changed();
            setEdited(undefined);
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Panel>
  );
}

const needsAttention = ({ disabled_at, disabled_from, state }: WebhookEndpoint): boolean =>
  disabled_at !== null || (state === 'failing' && disabled_from !== null);

/** What happens, or has happened, to an endpoint that fails. */
function Attention({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { disabled_at, disabled_from, waiting } = endpoint;
  const name = endpointName(endpoint);
  return (
    <p role="alert" className={classes['warning']}>
      {disabled_at === null ? (
        <Trans
          i18nKey="“{{name}}” fails. If nothing arrives there until <at/>, it is disabled."
          values={{ name }}
          components={{ at: <Moment at={disabled_from!} /> }}
        />
      ) : (
        t('“{{name}}” is disabled. {{count, number}} notifications wait for it.', { name, count: waiting })
      )}
    </p>
  );
}

function wantedText({ kinds, events }: WebhookEndpoint): string {
  const ofKinds = kinds.length === 0 ? t('all alerts') : joinList(kinds.map((kind) => alertKind(kind).label));
  return events.length === 0 ? ofKinds : `${ofKinds}; ${events.join(', ')}`;
}

const STATES: Record<string, { of: keyof typeof DELIVERY_STATUS; text: string }> = {
  active: { of: 'delivered', text: t('Works') },
  failing: { of: 'dead', text: t('Fails') },
  paused: { of: 'cancelled', text: t('Paused') },
  disabled: { of: 'dead', text: t('Disabled') },
};

function State({
  endpoint: { state, failing_since, waiting, failed, test, old_secret_until },
}: {
  endpoint: WebhookEndpoint;
}) {
  const { of, text } = STATES[state] ?? { of: 'pending', text: state };
  return (
    <>
      <Marked of={DELIVERY_STATUS[of]}>{text}</Marked>
      {failing_since && (
        <div className={classes['small']}>
          <Trans i18nKey="nothing arrives since <at/>" components={{ at: <Moment at={failing_since} /> }} />
        </div>
      )}
      {waiting > 0 && (
        <div className={classes['small']}>
          {t('{{count, number}} notifications wait', { count: waiting })}
        </div>
      )}
      {failed > 0 && (
        <div className={classes['small']}>{t('{{count, number}} failed in 24 hours', { count: failed })}</div>
      )}
      {test && <div className={classes['small']}>{testText(test)}</div>}
      {old_secret_until && (
        <div className={classes['small']}>
          <Trans
            i18nKey="the old secret signs until <at/>"
            components={{ at: <Moment at={old_secret_until} /> }}
          />
        </div>
      )}
    </>
  );
}

function testText({ state, error, status }: NonNullable<WebhookEndpoint['test']>): string {
  if (state === 'pending') return t('Test: is being sent');
  if (state === 'delivered') return t('Test: arrived');
  return t('Test: failed ({{error}})', { error: error ?? String(status) });
}

interface ActionsProps {
  endpoint: WebhookEndpoint;
  onChanged: () => void;
  onEdit: () => void;
  onSecret: (secret: string) => void;
}

function Actions({ endpoint, onChanged, onEdit, onSecret }: ActionsProps) {
  const { id, url, state, failed } = endpoint;
  const name = endpointName(endpoint);
  const path = `/v1/webhook-endpoints/${id}`;
  const [confirming, setConfirming] = useState<'delete' | 'rotate'>();
  const change = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSuccess: onChanged,
    onError: notifyError,
    onSettled: () => setConfirming(undefined),
  });
  const button = (label: string, onClick: () => void, red = false) => (
    <Button
      key={label}
      size="xs"
      variant={red ? 'filled' : 'default'}
      {...(red && { color: 'red' })}
      disabled={change.isPending}
      aria-label={`${label}: ${name}`}
      onClick={onClick}
    >
      {label}
    </Button>
  );
  const replay = async (): Promise<void> => {
    const { replayed } = await post<{ replayed: number }>(`${path}/replay`, {});
    notify(t('{{count, number}} notifications are sent again.', { count: replayed }));
  };
  const rotate = async (): Promise<void> =>
    onSecret((await post<{ secret: string }>(`${path}/secret`, {})).secret);
  if (confirming)
    return (
      <span className={classes['actions']}>
        {confirming === 'delete'
          ? button(t('Delete endpoint'), () => change.mutate(() => remove(path)), true)
          : button(t('Replace secret (the old one signs for 24 hours)'), () => change.mutate(rotate), true)}
        {button(t('Cancel'), () => setConfirming(undefined))}
      </span>
    );
  return (
    <span className={classes['actions']}>
      {button(t('Test'), () => change.mutate(() => post(`${path}/test`)))}
      {failed > 0 && button(t('Send failed ones again'), () => change.mutate(replay))}
      {state === 'disabled' && button(t('Enable'), () => change.mutate(() => post(`${path}/enable`)))}
      {url !== null && (
        <>
          {state === 'paused'
            ? button(t('Resume'), () => change.mutate(() => patch(path, { paused: false })))
            : button(t('Pause'), () => change.mutate(() => patch(path, { paused: true })))}
          {button(t('Edit'), onEdit)}
          {button(t('Replace secret'), () => setConfirming('rotate'))}
          {button(t('Delete'), () => setConfirming('delete'))}
        </>
      )}
    </span>
  );
}
