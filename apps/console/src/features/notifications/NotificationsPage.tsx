import { Button, SegmentedControl } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Trans } from 'react-i18next';
import { isStatus } from '../../api/http.js';
import type { Message } from '../../api/schema.js';
import { channelName } from '../../channels.js';
import { Moment } from '../../time/Moment.js';
import { CsvLink } from '../../ui/CsvLink.js';
import { DayFilters, rangeOfDays } from '../../ui/DayFilters.js';
import { Filters } from '../../ui/Filters.js';
import { type Column, TableList, TwoLines, useList } from '../../ui/List.js';
import { Marked } from '../../ui/Mark.js';
import { PageHead } from '../../ui/PageHead.js';
import { Empty } from '../../ui/States.js';
import table from '../../ui/Table.module.css';
import { TextFilter, withoutEmpty } from '../../ui/TextFilter.js';
import { bottleText, personText } from '../bottle/names.js';
import { personPath } from '../person/queries.js';
import {
  DELIVERY_STATUS,
  deliveryMeaning,
  HELD,
  notificationText,
  ResendButton,
  SendPendingButton,
} from './notifications.js';
import classes from './NotificationsPage.module.css';
import { messageText, MessageTitle } from './MessageTitle.js';
import { reasonText } from './reasons.js';
import { t } from '../../i18n/i18n.js';

const route = getRouteApi('/messages');

const STATUSES = [
  ...(['dead', 'pending'] as const).map((value) => ({ value, label: DELIVERY_STATUS[value].label })),
  { value: 'held', label: HELD.label },
  ...(['delivered', 'cancelled'] as const).map((value) => ({ value, label: DELIVERY_STATUS[value].label })),
  { value: 'all', label: t('All') },
];

/** Notifications by status, person and date; the failed ones are shown first. */
export function NotificationsPage() {
  const search = route.useSearch();
  const { user_id, channel, from, to } = search;
  const navigate = route.useNavigate();
  // a person has few: all of theirs are listed
  const status = search.status ?? (user_id === undefined && channel === undefined ? 'dead' : 'all');
  const filter = (change: Partial<typeof search>): void =>
    void navigate({ search: withoutEmpty({ ...search, ...change }), replace: true });
  const path = user_id === undefined ? '/v1/deliveries' : `${personPath(user_id)}/messages`;
  const query = {
    status: status === 'all' ? undefined : status,
    ...(user_id === undefined && { channel }),
    ...rangeOfDays({ from, to }),
  };
  const list = useList<Message>(['deliveries', path], path, query);
  const isUnknown = isStatus(list.error, 404);
  return (
    <>
      <PageHead
        title={t('Notifications')}
        lead={t('Messages to users, carers and the operator. They are kept for 90 days.')}
      >
        {status === 'pending' && user_id === undefined && <SendPendingButton />}
        <CsvLink path={path} query={query} name="notifications" />
      </PageHead>
      <Filters>
        <SegmentedControl
          size="xs"
          aria-label={t('Filter by status')}
          data={STATUSES}
          value={status}
          onChange={(value) => filter({ status: value })}
        />
        <TextFilter
          text={user_id ?? ''}
          label={t('Filter by user ID')}
          placeholder={t('User ID')}
          onChange={(text) => filter({ user_id: text })}
        />
        <DayFilters days={{ from, to }} onChange={filter} />
        {channel !== undefined && (
          <Button size="xs" variant="default" onClick={() => filter({ channel: '' })}>
            {t('Only over {{channel}}: show all channels', { channel: channelName(channel) })}
          </Button>
        )}
      </Filters>
      <TableList
        list={isUnknown ? { ...list, error: null, items: [], hasNextPage: false } : list}
        empty={
          status === 'dead' ? (
            <Empty title={t('No failed notifications')}>
              {t('Notifications that still fail after ten attempts appear here.')}
            </Empty>
          ) : (
            <Empty title={t('No notifications')}>
              {isUnknown && t('Nobody has this user ID. ⌘K finds people by their name or phone number.')}
            </Empty>
          )
        }
        columns={COLUMNS}
        rowKey={({ id }) => id}
      />
    </>
  );
}

const COLUMNS: readonly Column<Message>[] = [
  {
    title: t('Notification'),
    cell: (message) => (
      <TwoLines
        main={
          <Link
            to="/alerts/$alertId"
            params={{ alertId: message.alert_id }}
            className={table['main']}
            data-row-link
          >
            <MessageTitle of={message} />
          </Link>
        }
        small={notificationText(message)}
      />
    ),
  },
  {
    title: t('Bottle'),
    cell: ({ bottle_id, medication, label, user_id, user_name }) =>
      medication !== null &&
      user_id !== 'fleet' && (
        <TwoLines
          main={
            <Link to="/bottles/$bottleId" params={{ bottleId: bottle_id }} className={classes['link']}>
              {bottleText({ medication, label })}
            </Link>
          }
          small={
            user_id && (
              <Link to="/people/$userId" params={{ userId: user_id }} className={classes['link']}>
                {personText({ user_id, user_name })}
              </Link>
            )
          }
        />
      ),
  },
  {
    title: t('Status'),
    cell: (message) => (
      <TwoLines main={<Marked of={deliveryMeaning(message)} />} small={<StatusDetail message={message} />} />
    ),
  },
  {
    title: t('Created'),
    cell: ({ created_at, address }) => <TwoLines main={<Moment at={created_at} />} small={address} />,
  },
  {
    title: t('Text'),
    cell: (message) => (
      <details className={classes['text']}>
        <summary>{t('Text')}</summary>
        <pre>{messageText(message)}</pre>
      </details>
    ),
  },
  {
    title: t('Actions'),
    hiddenTitle: true,
    as: 'number',
    cell: ({ id, status }) => status === 'dead' && <ResendButton deliveryId={id} />,
  },
];

/** Why it is held and until when; or how often it was attempted. */
function StatusDetail({ message: { reason, next_attempt_at, attempts } }: { message: Message }) {
  return (
    <>
      {reason && reasonText(reason)}
      {next_attempt_at && (
        <>
          {reason && ', '}
          <Trans i18nKey="next attempt <at/>" components={{ at: <Moment at={next_attempt_at} /> }} />
        </>
      )}
      {attempts.length > 1 && ` ${t('{{count, number}} attempts', { count: attempts.length })}`}
    </>
  );
}
