import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isStatus } from '../../api/http.js';
import { get, post } from '../../api/request.js';
import { useMay } from '../../api/session.js';
import type { Contact, ContactDetails } from '../../api/schema.js';
import { channelsOf } from '../../channels.js';
import { t } from '../../i18n/i18n.js';
import { carersOf } from '../bottle/contacts/carers.js';
import { useNow } from '../../time/clock.js';
import { Moment } from '../../time/Moment.js';
import { FormError } from '../../ui/Form.js';
import { Marked } from '../../ui/Mark.js';
import { Panel } from '../../ui/Panel.js';
import classes from './NotificationsPage.module.css';
import { addresseeText, DELIVERY_STATUS } from './notifications.js';

interface Test {
  to: string;
  channel: string;
  state: 'pending' | 'delivered' | 'failed';
  by: string;
  at: string;
  attempted_at: string | null;
  status: number | null;
  error: string | null;
}

const MEANINGS = {
  pending: DELIVERY_STATUS.pending,
  delivered: DELIVERY_STATUS.delivered,
  failed: DELIVERY_STATUS.dead,
};
const POLL_MS = 1_000;
/** A notifier that runs sends it sooner. Milliseconds. */
const EXPECTED_MS = 30_000;

/** Sends a message that says it is a test to an address of the contact, and shows what came of it. */
export function TestMessage({ userId, contact }: { userId: string; contact: Contact }) {
  const path = `/v1/contacts/${encodeURIComponent(userId)}/test`;
  const key = ['contact-test', userId];
  const client = useQueryClient();
  const isSupport = useMay('support');
  const { data: last } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readTest(path, signal),
    refetchInterval: ({ state }) => (state.data?.state === 'pending' ? POLL_MS : false),
    enabled: isSupport,
  });
  const send = useMutation({
    mutationFn: (target: Target) => post<Test>(path, target),
    onSuccess: (test) => client.setQueryData(key, test),
  });
  const targets = targetsOf(contact);
  if (!isSupport || (targets.length === 0 && !last)) return null;
  const isPending = last?.state === 'pending' || send.isPending;
  return (
    <Panel title={t('Test message')}>
      <p className={classes['explanation']}>
        {t(
          'The message states that it is a test and contains nothing about a patient. Tell the recipient to expect it.',
        )}
      </p>
      <div className={classes['targets']}>
        {targets.map((target) => (
          <Button
            key={`${target.to} ${target.channel}`}
            variant="default"
            disabled={isPending}
            onClick={() => send.mutate(target)}
          >
            {t('Send a test: {{addressee}}', {
              addressee: addresseeText({ recipient: target.to, channel: target.channel }, carersOf(contact)),
            })}
          </Button>
        ))}
      </div>
      <FormError error={send.error} />
      <div role="status">{last && <Result test={last} contact={contact} />}</div>
    </Panel>
  );
}

function Result({ test, contact }: { test: Test; contact: Contact }) {
  const { to, channel, state, at, attempted_at, status, error } = test;
  const isLate = useNow() - Date.parse(at) > EXPECTED_MS;
  return (
    <p className={classes['result']}>
      <Marked of={MEANINGS[state]} /> {addresseeText({ recipient: to, channel }, carersOf(contact))},{' '}
      <Moment at={attempted_at ?? at} />
      {error !== null && `: ${error}`}
      {error === null && status !== null && `: ${t('the receiver answered {{status}}', { status })}`}
      {state === 'pending' && isLate && `: ${t('no notifier has sent it yet')}`}
    </p>
  );
}

interface Target {
  to: Test['to'];
  channel: string;
}

function targetsOf(contact: Contact): Target[] {
  const of = (to: string, details: ContactDetails): Target[] =>
    channelsOf(details).map((channel) => ({ to, channel }));
  return [...of('user', contact), ...carersOf(contact).flatMap((carer) => of(carer.id, carer))];
}

/** @returns null if none was sent. */
async function readTest(path: string, signal: AbortSignal): Promise<Test | null> {
  try {
    return await get<Test>(path, { signal });
  } catch (error) {
    if (isStatus(error, 404)) return null;
    throw error;
  }
}
