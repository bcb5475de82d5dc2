import type { Message as Sent } from '../../api/schema.js';
import { Moment } from '../../time/Moment.js';
import { CsvLink } from '../../ui/CsvLink.js';
import { List, useList } from '../../ui/List.js';
import { Mark } from '../../ui/Mark.js';
import { Panel } from '../../ui/Panel.js';
import { Empty } from '../../ui/States.js';
import { messageText, MessageTitle } from '../notifications/MessageTitle.js';
import { addresseeText, deliveryMeaning } from '../notifications/notifications.js';
import { reasonText } from '../notifications/reasons.js';
import classes from './Messages.module.css';
import { t } from '../../i18n/i18n.js';

/** The messages about all bottles of a person, newest first; each opens to its text. */
export function Messages({ userId, path }: { userId: string; path: string }) {
  const list = useList<Sent>(['person', userId, 'messages'], `${path}/messages`, { limit: 20 });
  return (
    <Panel
      title={t('Messages')}
      aside={<CsvLink path={`${path}/messages`} name={`messages-${userId}`} />}
      className={classes['panel']}
    >
      <List list={list} empty={<Empty title={t('No messages')}>{t('They are kept for 90 days.')}</Empty>}>
        {(messages) => (
          <ul className={classes['messages']}>
            {messages.map((message) => (
              <Message key={message.id} message={message} />
            ))}
          </ul>
        )}
      </List>
    </Panel>
  );
}

/** What the network says of an SMS. */
const RECEIPTS: Record<NonNullable<Sent['attempts'][number]['receipt']>['state'], string> = {
  accepted: t('The network has it:'),
  delivered: t('The phone has it:'),
  failed: t('Not delivered:'),
  refused: t('The number takes no messages:'),
};

function Message({ message }: { message: Sent }) {
  const { medication, address, reason, created_at } = message;
  const meaning = deliveryMeaning(message);
  const receipt = message.attempts.at(-1)?.receipt;
  return (
    <li>
      <details className={classes['message']}>
        <summary>
          <Mark of={meaning} label={meaning.label} />
          <span>
            <MessageTitle of={message} />
            <span className={classes['small']}>
              {medication && `${medication} · `}
              {addresseeText(message)}
              {address && ` (${address})`} · <Moment at={created_at} />
            </span>
          </span>
        </summary>
        {reason && (
          <p>
            {meaning.label}: {reasonText(reason)}
          </p>
        )}
        {receipt && (
          <p>
            {RECEIPTS[receipt.state]} <Moment at={receipt.at} />
            {receipt.reply && ` (${receipt.reply})`}
          </p>
        )}
        <pre>{messageText(message)}</pre>
      </details>
    </li>
  );
}
