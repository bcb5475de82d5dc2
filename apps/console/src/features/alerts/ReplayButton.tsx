import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { post } from '../../api/request.js';
import { useMay } from '../../api/session.js';
import { queries } from '../../app/services.js';
import { notify } from '../../ui/notify.js';
import { explain } from '../../ui/States.js';

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
