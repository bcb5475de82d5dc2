import { alertKind } from '../../alert-kinds/alert-kinds.js';
import { SegmentedControl } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useList } from '../../api/list.js';
import { type Delivery, DELIVERY_STATUSES } from '../../api/types.js';
import { Moment } from '../../time/Moment.js';
import { CsvLink } from '../../ui/CsvLink.js';
import { ListState } from '../../ui/ListState.js';
import { Marked } from '../../ui/Mark.js';
import { PageHead } from '../../ui/PageHead.js';
import panel from '../../ui/Panel.module.css';
import { Empty } from '../../ui/States.js';
import table from '../../ui/Table.module.css';
import { DELIVERY_STATUS, notificationText, ReplayButton } from './notifications.js';
import classes from './NotificationsPage.module.css';

const route = getRouteApi('/messages');

/** Messages that were sent, or were not: those that could not be delivered first. */
export function NotificationsPage() {
  const { status = 'dead' } = route.useSearch();
  const navigate = route.useNavigate();
  const query = { status: status === 'all' ? undefined : status };
  const list = useList<Delivery>(['deliveries'], '/v1/deliveries', query);
  return (
    <>
      <PageHead title="Messages" lead="To users, carers and the operator; kept for 90 days.">
        <CsvLink path="/v1/deliveries" query={query} name="messages" />
      </PageHead>
      <SegmentedControl
        className={classes['filter']}
        size="xs"
        aria-label="Which messages"
        data={[
          ...['dead', 'pending', 'delivered', 'cancelled'].map((value) => ({
            value,
            label: DELIVERY_STATUS[value as (typeof DELIVERY_STATUSES)[number]].word,
          })),
          { value: 'all', label: 'All' },
        ]}
        value={status}
        onChange={(value) => void navigate({ search: { status: value } })}
      />
      <div className={panel['panel']}>
        <ListState
          list={list}
          empty={
            <Empty
              title={status === 'dead' ? 'Every message has been delivered' : 'There is no such message'}
            >
              {status === 'dead' && 'What cannot be delivered after ten attempts appears here.'}
            </Empty>
          }
        >
          <Table deliveries={list.items ?? []} />
        </ListState>
      </div>
    </>
  );
}

function Table({ deliveries }: { deliveries: readonly Delivery[] }) {
  return (
    <div className={table['wrap']}>
      <table className={table['table']}>
        <thead>
          <tr>
            <th scope="col">Message</th>
            <th scope="col">State</th>
            <th scope="col">Made</th>
            <th scope="col">Attempts</th>
            <th scope="col">
              <span className="visually-hidden">What can be done</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => (
            <tr key={delivery.id} data-row={delivery.id}>
              <td>
                <div className={table['two']}>
                  <Link
                    to="/alerts/$alertId"
                    params={{ alertId: delivery.alert_id }}
                    className={table['main']}
                    data-row-link
                  >
                    {alertKind(delivery.kind).word}
                  </Link>
                  <span className={table['small']}>{notificationText(delivery)}</span>
                </div>
              </td>
              <td data-label="State">
                <div className={table['two']}>
                  <Marked of={DELIVERY_STATUS[delivery.status]} />
                  {delivery.reason && <span className={table['small']}>{delivery.reason}</span>}
                </div>
              </td>
              <td data-label="Made">
                <Moment at={delivery.created_at} />
              </td>
              <td data-label="Attempts">{delivery.attempts.length}</td>
              <td className={table['number']}>
                {delivery.status === 'dead' && <ReplayButton deliveryId={delivery.id} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
