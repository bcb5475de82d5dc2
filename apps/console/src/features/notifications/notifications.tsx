import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { messageEventLabel } from '../../alert-kinds/message-events.js';
import { post } from '../../api/request.js';
import { useMay } from '../../api/session.js';
import type { Delivery } from '../../api/schema.js';
import type { DeliveryStatus } from '../../api/vocabulary.js';
import { channelName } from '../../channels.js';
import { carerName, type EditedCarer } from '../bottle/contacts/carers.js';
import { type Meaning, meaningOf } from '../../ui/Mark.js';
import { notify, notifyError } from '../../ui/notify.js';
import { t } from '../../i18n/i18n.js';

export const DELIVERY_STATUS: Record<DeliveryStatus, Meaning> = {
  delivered: { label: t('Delivered'), tone: 'ok', shape: 'check' },
  pending: { label: t('Pending'), tone: 'open', shape: 'clock' },
  dead: { label: t('Failed'), tone: 'late', shape: 'cross' },
  cancelled: { label: t('Cancelled'), tone: 'unknown', shape: 'slashed' },
};

/** Waits for the end of quiet hours, a snooze, a fleet incident or a limit. */
export const HELD: Meaning = { ...DELIVERY_STATUS.pending, label: t('Held') };

export function deliveryMeaning({ status, reason }: Pick<Delivery, 'status' | 'reason'>): Meaning {
  return status === 'pending' && reason !== null ? HELD : meaningOf(DELIVERY_STATUS, status);
}

/** What a notification says, to whom and how: `all clear (user anna, e-mail)`. */
export function notificationText(delivery: Delivery): string {
  return `${messageEventLabel(delivery.event)} (${addresseeText(delivery)})`;
}

const RECIPIENTS: Record<string, string> = {
  user: t('user'),
  carer: t('carer'),
  operator: t('operator'),
  staff: t('staff'),
};

/**
 * To whom a notification goes and how: `user anna, e-mail`; to a carer whose name is known: `carer Jonas, e-mail`, or else
 * `carer anna (jonas), e-mail`, with the id of one that is not the first.
 *
 * @param carers those by whose names an id of a carer is shown
 */
export function addresseeText(
  {
    recipient,
    channel,
    recipient_name: name,
  }: Pick<Delivery, 'recipient' | 'channel'> & { recipient_name?: string | null },
  carers: readonly EditedCarer[] = [],
): string {
  const [who = '', ...id] = recipient.split(':');
  const [kind, carer] = who.split('.', 2) as [string, string?];
  if (kind === 'carer' && name) return `${RECIPIENTS[kind]} ${name}, ${channelName(channel)}`;
  const known = carers.length > 1 ? carers.find((one) => one.id === kind) : undefined;
  const names = [
    known ? carerName(known) : (RECIPIENTS[kind] ?? kind),
    // an account has no id that anybody knows
    ...(id.length > 0 && kind !== 'staff' ? [id.join(':')] : []),
  ];
  return `${[...names, ...(carer === undefined ? [] : [`(${carer})`])].join(' ')}, ${channelName(channel)}`;
}

/** Sends the notifications that failed and wait for their next attempt now. */
export function SendPendingButton() {
  const send = useMutation({
    mutationFn: () => post<{ sent: unknown[] }>('/v1/deliveries/send-pending'),
    onSuccess: ({ sent }) =>
      notify(
        sent.length === 0
          ? t('No notification waits for another attempt.')
          : t('Sending now: {{count, number}} notifications.', { count: sent.length }),
      ),
    onError: notifyError,
  });
  if (!useMay('support')) return null;
  return (
    <Button variant="default" loading={send.isPending} onClick={() => send.mutate()}>
      {t('Send pending now')}
    </Button>
  );
}

/** Sends a failed notification again. It keeps its id, so that a receiver can drop a repeat. */
export function ResendButton({ deliveryId }: { deliveryId: string }) {
  const resend = useMutation({
    mutationFn: () => post(`/v1/deliveries/${deliveryId}/replay`),
    onSuccess: () => notify(t('Notification queued to be sent again.')),
    onError: notifyError,
  });
  if (!useMay('support')) return null;
  return (
    <Button variant="default" loading={resend.isPending} onClick={() => resend.mutate()}>
      {t('Send again')}
    </Button>
  );
}
