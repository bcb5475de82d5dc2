import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isStatus } from '../../api/http.js';
import { get } from '../../api/request.js';
import type { Bottle, ErasureReceipt } from '../../api/types.js';
import { Moment } from '../../time/Moment.js';
import { Facts } from '../../ui/Facts.js';
import { DownloadIcon } from '../../ui/icons.js';
import { PageHead } from '../../ui/PageHead.js';
import { Panel } from '../../ui/Panel.js';
import { Failed, Loading } from '../../ui/States.js';
import classes from './ErasedBottle.module.css';

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
      <PageHead title={receipt ? 'Bottle erased' : 'Bottle not found'} />
      {receipt && bottle && (
        <p>
          {bottle.medication} for {bottle.user_id} was erased while you were viewing it.
        </p>
      )}
      {receipt && <Receipt receipt={receipt} />}
      {error && !notFound && <Failed error={error} retry={() => void refetch()} />}
      <p>
        {notFound && 'No bottle with this ID exists or was erased. Check the address.'}{' '}
        <Link to="/bottles">Find another bottle</Link>
      </p>
    </div>
  );
}

const ERASED: readonly (readonly [keyof ErasureReceipt['counts'], string])[] = [
  ['actions', 'Actions'],
  ['heartbeats', 'Heartbeats'],
  ['doses', 'Doses'],
  ['alerts', 'Alerts'],
  ['deliveries', 'Notifications'],
  ['vitals', 'Chart documents'],
];

function Receipt({ receipt }: { receipt: ErasureReceipt }) {
  const { bottle_id, erased_at, erased_by, counts } = receipt;
  const file = `data:application/json,${encodeURIComponent(JSON.stringify(receipt, null, 2))}`;
  return (
    <Panel title="Erasure receipt">
      <Facts
        rows={[
          ['Bottle', bottle_id],
          ['Erased at', <Moment key="when" at={erased_at} />],
          ['Erased by', erased_by],
          ...ERASED.map(([kind, name]) => [name, counts[kind].toLocaleString('en')] as const),
        ]}
      />
      <Button
        component="a"
        href={file}
        download={`erased-${bottle_id}.json`}
        leftSection={<DownloadIcon />}
        mt={16}
      >
        Download receipt
      </Button>
    </Panel>
  );
}
