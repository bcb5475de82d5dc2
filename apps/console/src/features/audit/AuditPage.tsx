import { CloseButton, SegmentedControl } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMay } from '../../api/session.js';
import type { AuditEntry } from '../../api/schema.js';
import type { AuditCategory } from '../../api/vocabulary.js';
import { Moment } from '../../time/Moment.js';
import { CsvLink } from '../../ui/CsvLink.js';
import { TableList, TwoLines, useList } from '../../ui/List.js';
import { PageHead } from '../../ui/PageHead.js';
import { Empty, NoAccess } from '../../ui/States.js';
import table from '../../ui/Table.module.css';
import classes from './AuditPage.module.css';
import { actionText, detailsText, subjectKindText } from './audit-text.js';
import { t } from '../../i18n/i18n.js';

const route = getRouteApi('/audit');

const CATEGORIES: readonly { value: AuditCategory; label: string }[] = [
  { value: 'change', label: t('Changes') },
  { value: 'read', label: t('Views and exports') },
  { value: 'refusal', label: t('Refused') },
];

/** Who changed what, who saw what and who was refused, newest first. */
export function AuditPage() {
  const isSupport = useMay('support');
  const { subject, staff_id, category = 'change' } = route.useSearch();
  const navigate = route.useNavigate();
  const query = { subject, staff_id, category };
  const list = useList<AuditEntry>(['audit'], '/v1/audit', query, isSupport);
  if (!isSupport) {
    return (
      <NoAccess title={t('Audit log')}>{t('The audit log requires the support or admin role.')}</NoAccess>
    );
  }
  const filtered = subject !== undefined || staff_id !== undefined;
  return (
    <>
      <PageHead
        title={t('Audit log')}
        lead={t(
          'What was changed, viewed and refused, in the console, over the API and through links in messages.',
        )}
      >
        <CsvLink path="/v1/audit" query={query} name="audit" />
      </PageHead>
      <SegmentedControl
        size="xs"
        mb={12}
        aria-label={t('Filter by kind')}
        data={[...CATEGORIES]}
        value={category}
        onChange={(value) => void navigate({ search: { subject, staff_id, category: value } })}
      />
      {filtered && (
        <p className={classes['filter']}>
          {subject
            ? t('About {{subject}}', { subject })
            : t('By {{name}}', { name: nameOf(list.items, staff_id) })}
          <CloseButton
            size="sm"
            aria-label={t('Clear filter')}
            onClick={() => void navigate({ search: { category } })}
          />
        </p>
      )}
      <TableList
        list={list}
        empty={<Empty title={t('Nothing here yet')} />}
        rowKey={({ id }) => id}
        columns={[
          { title: t('Time'), cell: ({ at }) => <Moment at={at} /> },
          { title: t('Who'), cell: ({ who }) => <Actor who={who} /> },
          {
            title: t('What'),
            cell: (entry) => (
              <TwoLines
                main={
                  <>
                    {actionText(entry)} <Subject subject={entry.subject} />
                  </>
                }
                small={detailsText(entry)}
              />
            ),
          },
        ]}
      />
    </>
  );
}

function nameOf(entries: readonly AuditEntry[] | undefined, staffId: string | undefined): string {
  return entries?.find(({ who }) => who.id === staffId)?.who.name ?? t('this person');
}

function Actor({ who: { kind, id, name, address } }: Pick<AuditEntry, 'who'>): ReactNode {
  if (kind === 'staff') {
    return (
      <Link to="/audit" search={{ staff_id: id }} title={address}>
        {name}
      </Link>
    );
  }
  return (
    <span>
      {name}{' '}
      <span className={table['small']}>{address ?? (kind === 'link' ? t('link in a message') : '')}</span>
    </span>
  );
}

function Subject({ subject: { kind, id } }: Pick<AuditEntry, 'subject'>): ReactNode {
  const text = `${subjectKindText(kind)}${id}`;
  if (kind === 'bottle') {
    return (
      <Link to="/bottles/$bottleId" params={{ bottleId: id }}>
        {text}
      </Link>
    );
  }
  if (kind === 'alert') {
    return (
      <Link to="/alerts/$alertId" params={{ alertId: id }}>
        {text}
      </Link>
    );
  }
  return text;
}
