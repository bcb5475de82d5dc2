import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isStatus } from '../../api/http.js';
import { get } from '../../api/request.js';
import type { Bottle, ErasureReceipt } from '../../api/schema.js';
import { Moment } from '../../time/Moment.js';
import { Facts } from '../../ui/Facts.js';
import { DownloadIcon } from '../../ui/icons.js';
import { PageHead } from '../../ui/PageHead.js';
import { Panel } from '../../ui/Panel.js';
import { Failed, Loading } from '../../ui/States.js';
import classes from './ErasedBottle.module.css';
import { t, numberText } from '../../i18n/i18n.js';

interface ErasedBottleProps {
  bottleId: string;
  /** Its last data, if it was erased while its page was open. */
  bottle: Bottle | undefined;
}

/** Shown instead of a missing bottle: the receipt of its erasure, or that it never existed. */
export function ErasedBottle({ bottleId, bottle }: ErasedBottleProps) {
  const {
    data: receipt,
    error,
    refetch,
  } = useQuery({
    queryKey: ['erasure', bottleId],
    queryFn: ({ signal }) => get<ErasureReceipt>(`/v1/bottles/${bottleId}/erasure`, { signal }),
  });
  if (!receipt && !error) return <Loading lines={8} />;
  const notFound = isStatus(error, 404) || isStatus(error, 400);
  return (
    <div className={classes['gone']}>
      <PageHead title={receipt ? t('Bottle erased') : t('Bottle not found')} />
      {receipt && bottle && (
        <p>
          {t('{{medication}} for {{user}} was erased while you were viewing it.', {
            medication: bottle.medication,
            user: bottle.user_id,
          })}
        </p>
      )}
      {receipt && <Receipt receipt={receipt} />}
      {error && !notFound && <Failed error={error} retry={() => void refetch()} />}
      <p>
        {notFound && t('No bottle with this ID exists or was erased. Check the address.')}{' '}
        <Link to="/bottles">{t('Find another bottle')}</Link>
      </p>
    </div>
  );
}

const ERASED: readonly (readonly [keyof ErasureReceipt['counts'], string])[] = [
  ['actions', t('Actions')],
  ['heartbeats', t('Heartbeats')],
  ['doses', t('Doses')],
  ['attestations', t('Statements about doses')],
  ['alerts', t('Alerts')],
  ['deliveries', t('Notifications')],
  ['vitals', t('Chart documents')],
  ['notes', t('Notes')],
];

function Receipt({ receipt }: { receipt: ErasureReceipt }) {
  const { bottle_id, erased_at, erased_by, counts, oplog_until } = receipt;
  const file = `data:application/json,${encodeURIComponent(JSON.stringify(receipt, null, 2))}`;
  return (
    <Panel title={t('Erasure receipt')}>
      <Facts
        rows={[
          [t('Bottle'), bottle_id],
          [t('Erased at'), <Moment key="when" at={erased_at} />],
          [t('Erased by'), erased_by],
          ...ERASED.map(([kind, name]) => [name, numberText(counts[kind])] as const),
          [
            t('In the database’s own log until about'),
            oplog_until === null ? (
              t('Not known: npm run admin -- erasure verify finds out')
            ) : (
              <Moment key="oplog" at={oplog_until} />
            ),
          ],
        ]}
      />
      <Button
        component="a"
        href={file}
        download={`erased-${bottle_id}.json`}
        leftSection={<DownloadIcon />}
        mt={16}
      >
        {t('Download receipt')}
      </Button>
    </Panel>
  );
}
