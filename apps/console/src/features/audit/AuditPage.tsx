import { CloseButton } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMay } from '../../api/session.js';
import type { AuditEntry } from '../../api/types.js';
import { Moment } from '../../time/Moment.js';
import { CsvLink } from '../../ui/CsvLink.js';
import { TableList, TwoLines, useList } from '../../ui/List.js';
import { PageHead } from '../../ui/PageHead.js';
import { Empty, NoAccess } from '../../ui/States.js';
import table from '../../ui/Table.module.css';
import classes from './AuditPage.module.css';
import { actionText, detailsText, subjectKindText } from './audit-text.js';

const route = getRouteApi('/audit');

/** Who changed what, newest first. */
export function AuditPage() {
  const isSupport = useMay('support');
  const { subject, staff_id } = route.useSearch();
  const navigate = route.useNavigate();
  const query = { subject, staff_id };
  const list = useList<AuditEntry>(['audit'], '/v1/audit', query, isSupport);
  if (!isSupport) {
    return <NoAccess title="Audit log">The audit log requires the support or admin role.</NoAccess>;
  }
  const filtered = subject !== undefined || staff_id !== undefined;
  return (
    <>
      <PageHead
        title="Audit log"
        lead="Changes made in the console, over the API and through links in messages."
      >
        <CsvLink path="/v1/audit" query={query} name="audit" />
      </PageHead>
      {filtered && (
        <p className={classes['filter']}>
          {subject ? `Changes to ${subject}` : `Changes by ${nameOf(list.items, staff_id)}`}
          <CloseButton size="sm" aria-label="Clear filter" onClick={() => void navigate({ search: {} })} />
        </p>
      )}
      <TableList
        list={list}
        empty={
          <Empty title="No changes yet">Every change to bottles, alerts and accounts appears here.</Empty>
        }
        rowKey={({ id }) => id}
        columns={[
          { title: 'Time', cell: ({ at }) => <Moment at={at} /> },
          { title: 'Who', cell: ({ who }) => <Actor who={who} /> },
          {
            title: 'Change',
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
  return entries?.find(({ who }) => who.id === staffId)?.who.name ?? 'this person';
}

function Actor({ who: { kind, id, name } }: Pick<AuditEntry, 'who'>): ReactNode {
  if (kind === 'staff') {
    return (
      <Link to="/audit" search={{ staff_id: id }}>
        {name}
      </Link>
    );
  }
  return (
    <span>
      {name} <span className={table['small']}>{kind === 'link' ? 'link in a message' : 'API key'}</span>
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
