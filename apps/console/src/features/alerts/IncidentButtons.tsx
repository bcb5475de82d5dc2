import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { post } from '../../api/request.js';
import { queries } from '../../app/services.js';
import { notify } from '../../ui/notify.js';
import { explain } from '../../ui/States.js';

/** A fleet incident is decided by a person: the bottles cannot be reached, or the fault is here. */
export function IncidentButtons({ alertId }: { alertId: string }) {
  const decide = useMutation({
    mutationFn: (decision: 'confirm' | 'dismiss') => post(`/v1/alerts/${alertId}/${decision}`),
    onSuccess: (_, decision) =>
      notify(decision === 'confirm' ? 'Confirmed: users are told now.' : 'Dismissed: no user is told of it.'),
    onError: (error) => notify(explain(error).join('. '), 'failed'),
    onSettled: () => queries.invalidateQueries(),
  });
  return (
    <>
      <Button loading={decide.isPending} onClick={() => decide.mutate('confirm')}>
        Confirm
      </Button>
      <Button variant="default" disabled={decide.isPending} onClick={() => decide.mutate('dismiss')}>
        Dismiss
      </Button>
    </>
  );
}
