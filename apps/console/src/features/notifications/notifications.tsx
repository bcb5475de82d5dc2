import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { post } from '../../api/request.js';
import { useMay } from '../../api/session.js';
import type { Delivery, DeliveryStatus } from '../../api/types.js';
import { CHANNEL_NAMES } from '../../channels.js';
import { queries } from '../../app/services.js';
import { OUTCOME } from '../../ui/Mark.js';
import { notify } from '../../ui/notify.js';
import { explain } from '../../ui/States.js';

type Meaning = (typeof OUTCOME)['missed'];

export const DELIVERY_STATUS: Record<DeliveryStatus, Meaning> = {
  delivered: { word: 'Delivered', tone: 'ok', shape: 'check' },
  pending: { word: 'On its way', tone: 'open', shape: 'clock' },
  dead: { word: 'Not delivered', tone: 'late', shape: 'cross' },
  cancelled: { word: 'Not sent', tone: 'unknown', shape: 'slashed' },
};

const EVENTS: Record<string, string> = {
  raised: 'the alert',
  escalated: 'the alert, again',
  missed: 'that it is missed for good',
  resolved: 'that it is over',
  retracted: 'that it was never true',
};

/** What a message says, to whom, and how it goes: `the alert, to user anna by e-mail`. */
export function notificationText({ event, recipient, channel }: Delivery): string {
  return `${EVENTS[event] ?? event}, to ${recipient.replace(':', ' ')} by ${CHANNEL_NAMES[channel] ?? channel}`;
}

/** Sends a message again that could not be delivered. It keeps its id, so that nobody hears it twice. */
export function ReplayButton({ deliveryId }: { deliveryId: string }) {
  const replay = useMutation({
    mutationFn: () => post(`/v1/deliveries/${deliveryId}/replay`),
    onSuccess: () => notify('It is sent again now.'),
    onError: (error) => notify(explain(error).join('. '), 'failed'),
    onSettled: () => queries.invalidateQueries(),
  });
  if (!useMay('support')) return null;
  return (
    <Button variant="default" loading={replay.isPending} onClick={() => replay.mutate()}>
      Send again
    </Button>
  );
}
