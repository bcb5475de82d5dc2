import { SegmentedControl } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { alertKind } from '../../alert-kinds/alert-kinds.js';
import type { Delivery, DeliveryStatus } from '../../api/types.js';
import { Moment } from '../../time/Moment.js';
import { CsvLink } from '../../ui/CsvLink.js';
import { type Column, TableList, TwoLines, useList } from '../../ui/List.js';
import { Marked, meaningOf } from '../../ui/Mark.js';
import { PageHead } from '../../ui/PageHead.js';
import { Empty } from '../../ui/States.js';
import table from '../../ui/Table.module.css';
import { DELIVERY_STATUS, notificationText, ResendButton, SendPendingButton } from './notifications.js';
import classes from './NotificationsPage.module.css';

const route = getRouteApi('/messages');

const SHOWN_STATUSES: readonly DeliveryStatus[] = ['dead', 'pending', 'delivered', 'cancelled'];

/** Notifications by status; the failed ones are shown first. */
export function NotificationsPage() {
  const { status = 'dead' } = route.useSearch();
  const navigate = route.useNavigate();
  const query = { status: status === 'all' ? undefined : status };
  const list = useList<Delivery>(['deliveries'], '/v1/deliveries', query);
  return (
    <>
      <PageHead
        title="Notifications"
        lead="Messages to users, carers and the operator. They are kept for 90 days."
      >
        {status === 'pending' && <SendPendingButton />}
        <CsvLink path="/v1/deliveries" query={query} name="notifications" />
      </PageHead>
      <SegmentedControl
        className={classes['filter']}
        size="xs"
        aria-label="Filter by status"
        data={[
          ...SHOWN_STATUSES.map((value) => ({ value: value as string, label: DELIVERY_STATUS[value].label })),
          { value: 'all', label: 'All' },
        ]}
        value={status}
        onChange={(value) => void navigate({ search: { status: value } })}
      />
      <TableList
        list={list}
        empty={
          status === 'dead' ? (
            <Empty title="No failed notifications">
              Notifications that still fail after ten attempts appear here.
            </Empty>
          ) : (
            <Empty title="No notifications" />
          )
        }
        columns={COLUMNS}
        rowKey={({ id }) => id}
      />
    </>
  );
}

const COLUMNS: readonly Column<Delivery>[] = [
  {
    title: 'Notification',
    cell: (delivery) => (
      <TwoLines
        main={
          <Link
            to="/alerts/$alertId"
            params={{ alertId: delivery.alert_id }}
            className={table['main']}
            data-row-link
          >
            {alertKind(delivery.kind).label}
          </Link>
        }
        small={notificationText(delivery)}
      />
    ),
  },
  {
    title: 'Status',
    cell: ({ status, reason }) => (
      <TwoLines main={<Marked of={meaningOf(DELIVERY_STATUS, status)} />} small={reason} />
    ),
  },
  { title: 'Created', cell: ({ created_at }) => <Moment at={created_at} /> },
  { title: 'Attempts', cell: ({ attempts }) => attempts.length },
  {
    title: 'Actions',
    hiddenTitle: true,
    as: 'number',
    cell: ({ id, status }) => status === 'dead' && <ResendButton deliveryId={id} />,
  },
];
