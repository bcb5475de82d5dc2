import { CloseButton, SegmentedControl } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMay } from '../../api/session.js';
import type { AuditEntry } from '../../api/schema.js';
import type { AuditCategory } from '../../api/vocabulary.js';
import { Moment } from '../../time/Moment.js';
import { CsvLink } from '../../ui/CsvLink.js';
import { DayFilters, rangeOfDays } from '../../ui/DayFilters.js';
import { Filters } from '../../ui/Filters.js';
import { TableList, TwoLines, useList } from '../../ui/List.js';
import { PageHead } from '../../ui/PageHead.js';
import { Empty, NoAccess } from '../../ui/States.js';
import table from '../../ui/Table.module.css';
import { TextFilter, withoutEmpty } from '../../ui/TextFilter.js';
import classes from './AuditPage.module.css';
import { actionText, detailsText, namedId, subjectText } from './audit-text.js';
import { t } from '../../i18n/i18n.js';

const route = getRouteApi('/audit');

const CATEGORIES: readonly { value: AuditCategory | 'all'; label: string }[] = [
  { value: 'change', label: t('Changes') },
  { value: 'read', label: t('Views and exports') },
  { value: 'refusal', label: t('Refused') },
  { value: 'all', label: t('All') },
];
const ID = /^[0-9a-f]{24}$/;

/** What was typed as a bottle, or else as a person. */
function subjectOf(text: string): string {
  if (text === '' || text.includes(':')) return text;
  return ID.test(text) ? `bottle:${text}` : `contact:${text}`;
}

/** Who changed what, who saw what and who was refused, newest first. */
export function AuditPage() {
  const isSupport = useMay('support');
  const search = route.useSearch();
  // of one subject or person, all is sought: who looked at it, too
  const { subject, staff_id, from, to } = search;
  const category = search.category ?? (subject === undefined && staff_id === undefined ? 'change' : 'all');
  const navigate = route.useNavigate();
  const filter = (change: Partial<typeof search>): void =>
    void navigate({ search: withoutEmpty({ ...search, ...change }), replace: true });
  const query = {
    subject,
    staff_id,
    category: category === 'all' ? undefined : category,
    ...rangeOfDays({ from, to }),
  };
  const list = useList<AuditEntry>(['audit'], '/v1/audit', query, isSupport);
  if (!isSupport) {
    return (
      <NoAccess title={t('Audit log')}>{t('The audit log requires the support or admin role.')}</NoAccess>
    );
  }
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
      <Filters>
        <SegmentedControl
          size="xs"
          aria-label={t('Filter by kind')}
          data={[...CATEGORIES]}
          value={category}
          onChange={(value) => filter({ category: value })}
        />
        <TextFilter
          key={subject}
          text={subject?.replace(/^(?:bottle|contact):/, '') ?? ''}
          label={t('Filter by bottle or user ID')}
          placeholder={t('Bottle or user ID')}
          onChange={(text) => filter({ subject: subjectOf(text) })}
        />
        <DayFilters days={{ from, to }} onChange={filter} />
      </Filters>
      {staff_id !== undefined && (
        <p className={classes['filter']}>
          {t('By {{name}}', { name: nameOf(list.items, staff_id) })}
          <CloseButton
            size="sm"
            aria-label={t('Clear filter')}
            onClick={() => filter({ staff_id: undefined })}
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
                small={[namedId(entry.subject), detailsText(entry)].filter(Boolean).join(' · ')}
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
      <Link to="/audit" search={(search) => ({ ...search, staff_id: id })} title={address}>
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

/** What it was about, by its names; the id where it has none. */
function Subject({ subject }: Pick<AuditEntry, 'subject'>): ReactNode {
  const { kind, id } = subject;
  const text = subjectText(subject);
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
  // one without a name may be a pseudonym
  if (kind === 'contact' && subject.name !== undefined) {
    return (
      <Link to="/people/$userId" params={{ userId: id }}>
        {text}
      </Link>
    );
  }
  return text;
}
