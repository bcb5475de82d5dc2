import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { get, post } from '../../../api/request.js';
import type { Attestation } from '../../../api/schema.js';
import type { Attestor, Page } from '../../../api/vocabulary.js';
import { useNow } from '../../../time/clock.js';
import { useZone } from '../../../time/Moment.js';
import { notify } from '../../../ui/notify.js';
import { FormError } from '../../../ui/Form.js';
import { Unreadable } from '../../../ui/States.js';
import { statementText, withdrawalText } from '../reported-text.js';
import classes from './StatementHistory.module.css';
import { t } from '../../../i18n/i18n.js';

interface StatementHistoryProps {
  bottleId: string;
  /** Of the dose, or when pills that were no dose were removed. */
  scheduledAt: string;
  /** Who withdraws. */
  attestedBy: Attestor;
}

/** All that was recorded about a dose, newest first, also what was withdrawn; nothing if nothing was. */
export function StatementHistory({ bottleId, scheduledAt, attestedBy }: StatementHistoryProps) {
  const [zone, present] = [useZone(), useNow()];
  const path = `/v1/bottles/${bottleId}/attestations`;
  const { data } = useQuery({
    queryKey: ['bottle', bottleId, 'attestations', scheduledAt],
    queryFn: ({ signal }) => {
      const to = new Date(Date.parse(scheduledAt) + 1).toISOString();
      return get<Page<Attestation>>(path, { query: { from: scheduledAt, to, limit: 200 }, signal });
    },
  });
  const withdrawal = useMutation({
    mutationFn: (id: string) => post(`${path}/${id}/withdraw`, { attested_by: attestedBy }),
    onSuccess: () => notify(t('Withdrawn.')),
  });
  const entries = data?.items ?? [];
  const statements = entries
    .filter(({ kind }) => kind !== 'withdrawn')
    .toSorted((one, other) => (one.at < other.at ? 1 : -1));
  const unreadable = data?.unreadable ?? 0;
  if (statements.length === 0 && unreadable === 0) return null;
  return (
    <section aria-label={t('Recorded before')} className={classes['history']}>
      <h3>{t('Recorded before')}</h3>
      <Unreadable count={unreadable} />
      <ul>
        {statements.map((statement) => {
          const { id, is_withdrawn } = statement;
          const withdrawn = entries.find(({ withdraws }) => withdraws === id);
          const text = statementText(statement, present, zone);
          return (
            <li key={id}>
              {is_withdrawn ? <del>{text}</del> : <span id={id}>{text}</span>}
              {withdrawn && <span>{withdrawalText(withdrawn, present, zone)}</span>}
              {!is_withdrawn && (
                <Button
                  variant="default"
                  size="compact-xs"
                  loading={withdrawal.isPending && withdrawal.variables === id}
                  aria-describedby={id}
                  onClick={() => withdrawal.mutate(id)}
                >
                  {t('Withdraw')}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      <FormError error={withdrawal.error} />
    </section>
  );
}
