import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { messageEventLabel } from '../../alert-kinds/message-events.js';
import { post } from '../../api/request.js';
import { useMay } from '../../api/session.js';
import type { Delivery, DeliveryStatus } from '../../api/types.js';
import { CHANNEL_NAMES } from '../../channels.js';
import type { Meaning } from '../../ui/Mark.js';
import { notify, notifyError } from '../../ui/notify.js';

export const DELIVERY_STATUS: Record<DeliveryStatus, Meaning> = {
  delivered: { label: 'Delivered', tone: 'ok', shape: 'check' },
  pending: { label: 'Pending', tone: 'open', shape: 'clock' },
  dead: { label: 'Failed', tone: 'late', shape: 'cross' },
  cancelled: { label: 'Cancelled', tone: 'unknown', shape: 'slashed' },
};

/** What a notification says, to whom and how: `all clear (user anna, e-mail)`. */
export function notificationText(delivery: Delivery): string {
  return `${messageEventLabel(delivery.event)} (${addresseeText(delivery)})`;
}

/** To whom a notification goes and how: `user anna, e-mail`. */
export function addresseeText({ recipient, channel }: Pick<Delivery, 'recipient' | 'channel'>): string {
  return `${recipient.replace(':', ' ')}, ${CHANNEL_NAMES[channel] ?? channel}`;
}

/** Sends the notifications that failed and wait for their next attempt now. */
export function SendPendingButton() {
  const send = useMutation({
    mutationFn: () => post<{ sent: unknown[] }>('/v1/deliveries/send-pending'),
    onSuccess: ({ sent }) =>
      notify(
        sent.length === 0
          ? 'No notification waits for another attempt.'
          : `Sending now: ${sent.length} ${sent.length === 1 ? 'notification' : 'notifications'}.`,
      ),
    onError: notifyError,
  });
  if (!useMay('support')) return null;
  return (
    <Button variant="default" loading={send.isPending} onClick={() => send.mutate()}>
      Send pending now
    </Button>
  );
}

/** Sends a failed notification again. It keeps its id, so that a receiver can drop a repeat. */
export function ResendButton({ deliveryId }: { deliveryId: string }) {
  const resend = useMutation({
    mutationFn: () => post(`/v1/deliveries/${deliveryId}/replay`),
    onSuccess: () => notify('Notification queued to be sent again.'),
    onError: notifyError,
  });
  if (!useMay('support')) return null;
  return (
    <Button variant="default" loading={resend.isPending} onClick={() => resend.mutate()}>
      Send again
    </Button>
  );
}
