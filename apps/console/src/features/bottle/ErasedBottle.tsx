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
  /** What was known of it, when it went while it was looked at. */
  bottle: Bottle | undefined;
}

/** Instead of a bottle that is not there: that it was erased, when and by whom, or that it never was. */
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
  const neverWas = isStatus(error, 404) || isStatus(error, 400);
  return (
    <div className={classes['gone']}>
      <PageHead title={receipt ? 'This bottle has been erased' : 'There is no such bottle'} />
      {receipt && bottle && (
        <p>{medicationOf(bottle)} was erased while you looked at it, with everything that was known of it.</p>
      )}
      {receipt && <Receipt receipt={receipt} />}
      {error && !neverWas && <Failed error={error} retry={() => void refetch()} />}
      <p>
        {neverWas && 'Nothing was ever erased under this id: the address is wrong.'}{' '}
        <Link to="/bottles">Find another bottle</Link>
      </p>
    </div>
  );
}

function medicationOf({ medication, user_id }: Bottle): string {
  return `${medication} of ${user_id}`;
}

const ERASED: readonly (readonly [keyof ErasureReceipt['counts'], string])[] = [
  ['actions', 'Openings and closings'],
  ['heartbeats', 'Heartbeats'],
  ['doses', 'Doses'],
  ['alerts', 'Alerts'],
  ['deliveries', 'Messages'],
  ['vitals', 'Documents behind its charts'],
];

function Receipt({ receipt }: { receipt: ErasureReceipt }) {
  const { bottle_id, erased_at, erased_by, counts } = receipt;
  const file = `data:application/json,${encodeURIComponent(JSON.stringify(receipt, null, 2))}`;
  return (
    <Panel title="Receipt">
      <Facts
        rows={[
          ['Bottle', bottle_id],
          ['Erased', <Moment key="when" at={erased_at} />],
          ['By', erased_by],
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
        Keep the receipt
      </Button>
    </Panel>
  );
}
