import { useMutation } from '@tanstack/react-query';
import { post } from '../../api/request.js';
import type { AlertDetail } from '../../api/schema.js';
import { t } from '../../i18n/i18n.js';
import { useNow } from '../../time/clock.js';
import { dayAndTime } from '../../time/format.js';
import { useZone } from '../../time/Moment.js';
import { Confirmed } from '../../ui/Confirmed.js';
import { notify, notifyError } from '../../ui/notify.js';

/** Answers that pills beyond the plan are in a pillbox: the alert ends, and their doses are not monitored. */
export function MovedToPillbox({ alert: { bottle_id, evidence } }: { alert: AlertDetail }) {
  const zone = useZone();
  const present = useNow();
  const { removed_at: from, pillbox_until: to } = evidence;
  const answer = useMutation({
    mutationFn: () => post(`/v1/bottles/${bottle_id}/periods`, { reason: 'pillbox', from, to }),
    onSuccess: () => notify(t('Recorded. The alert ends in a moment.')),
    onError: notifyError,
  });
  if (typeof to !== 'string') return null;
  return (
    <Confirmed
      label={t('Moved to a pillbox')}
      action={t('Until {{time}}', { time: dayAndTime(Date.parse(to), zone, present) })}
      variant="default"
      pending={answer.isPending}
      onConfirm={() => answer.mutate()}
    />
  );
}
