import { CloseButton } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useList } from '../../api/list.js';
import { useMay } from '../../api/session.js';
import type { AuditEntry } from '../../api/types.js';
import { Moment } from '../../time/Moment.js';
import { CsvLink } from '../../ui/CsvLink.js';
import { ListState } from '../../ui/ListState.js';
import { PageHead } from '../../ui/PageHead.js';
import panel from '../../ui/Panel.module.css';
import { Empty } from '../../ui/States.js';
import table from '../../ui/Table.module.css';
import classes from './AuditPage.module.css';

const route = getRouteApi('/audit');

/** Who did what, newest first. */
export function AuditPage() {
  const supports = useMay('support');
  const { subject, staff_id } = route.useSearch();
  const navigate = route.useNavigate();
  const query = { subject, staff_id };
  const list = useList<AuditEntry>(['audit'], '/v1/audit', query, supports);
  if (!supports)
    return (
      <>
        <PageHead title="Audit" />
        <Empty title="This page is for support">It says who did what.</Empty>
      </>
    );
  const narrowed = subject !== undefined || staff_id !== undefined;
  return (
    <>
      <PageHead title="Audit" lead="Who did what, by page, by API key or by a link in a message.">
        <CsvLink path="/v1/audit" query={query} name="audit" />
      </PageHead>
      {narrowed && (
        <p className={classes['narrowed']}>
          Only {subject ? `about ${subject}` : `by ${nameOf(list.items, staff_id)}`}
          <CloseButton size="sm" aria-label="Show all" onClick={() => void navigate({ search: {} })} />
        </p>
      )}
      <div className={panel['panel']}>
        <ListState
          list={list}
          empty={<Empty title="Nothing has been done yet">What staff change is kept here.</Empty>}
        >
          <Entries entries={list.items ?? []} />
        </ListState>
      </div>
    </>
  );
}

function nameOf(entries: readonly AuditEntry[] | undefined, staffId: string | undefined): string {
  return entries?.find(({ who }) => who.id === staffId)?.who.name ?? 'this person';
}

function Entries({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <div className={table['wrap']}>
      <table className={table['table']}>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
            <th scope="col">About</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ id, at, who, action, subject, details }) => (
            <tr key={id}>
              <td>
                <Moment at={at} />
              </td>
              <td data-label="Who">
                {who.kind === 'staff' ? (
                  <Link to="/audit" search={{ staff_id: who.id }}>
                    {who.name}
                  </Link>
                ) : (
                  <span>
                    {who.name}{' '}
                    <span className={table['small']}>{who.kind === 'link' ? 'by a link' : 'API key'}</span>
                  </span>
                )}
              </td>
              <td data-label="What">
                <div className={table['two']}>
                  <span>{actionWords(action)}</span>
                  {details && Object.keys(details).length > 0 && (
                    <code className={table['small']}>{detailWords(details)}</code>
                  )}
                </div>
              </td>
              <td data-label="About">
                <Subject subject={subject} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Subject({ subject: { kind, id } }: { subject: AuditEntry['subject'] }) {
  if (kind === 'bottle') {
    return (
      <Link to="/bottles/$bottleId" params={{ bottleId: id }}>
        bottle {id}
      </Link>
    );
  }
  if (kind === 'alert') {
    return (
      <Link to="/alerts/$alertId" params={{ alertId: id }}>
        alert {id}
      </Link>
    );
  }
  return `${kind.replaceAll('_', ' ')} ${id}`;
}

function detailWords(details: Record<string, unknown>): string {
  return Object.entries(details)
    .map(
      ([name, value]) =>
        `${name.replaceAll('_', ' ')}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    .join(', ');
}

/** `alert.acknowledge` as a person says it. */
export function actionWords(action: string): string {
  const [subject = '', verb = ''] = action.split('.');
  return `${verb.replaceAll('_', ' ')} ${subject.replaceAll('_', ' ')}`.trim();
}
