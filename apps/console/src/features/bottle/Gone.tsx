import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Bottle } from '../../api/types.js';
import { Moment } from '../../time/Moment.js';
import { Facts } from '../../ui/Facts.js';
import { DownloadIcon } from '../../ui/icons.js';
import { PageHead } from '../../ui/PageHead.js';
import { Panel } from '../../ui/Panel.js';
import classes from './Gone.module.css';
import { type Receipt, receiptOf } from './receipt.js';

interface GoneProps {
  bottleId: string;
  /** What was known of it, when it went while it was looked at. */
  bottle: Bottle | undefined;
}

/** Instead of a bottle that is not there: whether it was erased, by oneself or by somebody else, or never was. */
export function Gone({ bottleId, bottle }: GoneProps) {
  const receipt = receiptOf(bottleId);
  return (
    <div className={classes['gone']}>
      <PageHead title={bottle ? 'This bottle has been erased' : 'There is no such bottle'} />
      {receipt && <ReceiptPanel receipt={receipt} />}
      <p>
        {!receipt && why(bottle)} <Link to="/bottles">Find another bottle</Link>
      </p>
    </div>
  );
}

function why(bottle: Bottle | undefined): string {
  return bottle
    ? `Somebody has erased ${bottle.medication} of ${bottle.user_id} with everything that was known of it. The audit says who.`
    : 'It may have been erased, or the address is wrong.';
}

function ReceiptPanel({ receipt }: { receipt: Receipt }) {
  const file = `data:application/json,${encodeURIComponent(JSON.stringify(receipt, null, 2))}`;
  return (
    <Panel title="Receipt">
      <Facts
        rows={[
          ['Bottle', receipt.bottle_id],
          ['Erased', <Moment key="when" at={receipt.erased_at} />],
          ...Object.entries(receipt.counts).map(
            ([what, count]) => [what.replaceAll('_', ' '), count] as const,
          ),
        ]}
      />
      <Button
        component="a"
        href={file}
        download={`erased-${receipt.bottle_id}.json`}
        leftSection={<DownloadIcon />}
        mt={16}
      >
        Keep the receipt
      </Button>
    </Panel>
  );
}
