import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../api/request.js';
import { useMay } from '../../api/session.js';
import type { AuditEntry } from '../../api/schema.js';
import type { Page } from '../../api/vocabulary.js';
import { Moment } from '../../time/Moment.js';
import { Panel } from '../../ui/Panel.js';
import { Pending } from '../../ui/States.js';
import { actionText, detailsText } from '../audit/audit-text.js';
import classes from './AddressHistory.module.css';
import { t } from '../../i18n/i18n.js';

const MOST = 100;

/**
 * Who changed, confirmed, stopped or tested an address of a person, and when. What an address was is not stored: messages
 * say where they went.
 */
export function AddressHistory({ userId }: { userId: string }) {
  const maySeeAudit = useMay('support');
  const [isOpen, setOpen] = useState(false);
  if (!maySeeAudit) return null;
  return (
    <Panel title={t('History of addresses')}>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{t('Changes, confirmations and tests')}</summary>
        {isOpen && <Entries userId={userId} />}
      </details>
    </Panel>
  );
}

function Entries({ userId }: { userId: string }) {
  const query = useQuery({
    queryKey: ['contact', userId, 'history'],
    queryFn: ({ signal }) =>
      get<Page<AuditEntry>>('/v1/audit', {
        query: { subject: `contact:${userId}`, category: 'change', limit: MOST },
        signal,
      }),
  });
  if (!query.data) return <Pending query={query} lines={3} />;
  const entries = query.data.items.filter(({ action }) => action.startsWith('contact.'));
  if (entries.length === 0) return <p className={classes['quiet']}>{t('None so far.')}</p>;
  return (
    <ol className={classes['entries']}>
      {entries.map((entry) => (
        <li key={entry.id}>
          <Moment at={entry.at} />
          <span>
            {actionText(entry)} {entry.subject.name ?? userId}
            <span className={classes['quiet']}>
              {[entry.who.name, detailsText(entry)].filter(Boolean).join(' · ')}
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}
