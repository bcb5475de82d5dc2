import { Button } from '@mantine/core';
import { useMay } from '../../api/session.js';
import { useAlertAction } from './actions.js';

/** One press, no note: for whoever takes care of it now. */
export function AcknowledgeButton({ alertId }: { alertId: string }) {
  const action = useAlertAction();
  if (!useMay('support')) return null;
  return (
    <Button
      variant="default"
      loading={action.isPending}
      onClick={() => action.mutate({ verb: 'acknowledge', targets: [{ id: alertId }] })}
    >
      Acknowledge
    </Button>
  );
}
