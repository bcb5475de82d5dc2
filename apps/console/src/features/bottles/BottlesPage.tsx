import { CloseButton, Select, UnstyledButton } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Trans } from 'react-i18next';
import type { ListedBottle, SavedView } from '../../api/schema.js';
import { type Status, STATUSES } from '../../api/vocabulary.js';
import { CsvLink } from '../../ui/CsvLink.js';
import { type Column, type ColumnOrder, TableList, useList } from '../../ui/List.js';
import { BottleName } from '../bottle/BottleName.js';
import { bottleText, personText } from '../bottle/names.js';
import { Mark } from '../../ui/Mark.js';
import { STATUS } from '../../ui/meanings.js';
import { PageHead } from '../../ui/PageHead.js';
import { Empty } from '../../ui/States.js';
import { TextFilter, withoutEmpty } from '../../ui/TextFilter.js';
import { LIFE_LABELS } from '../bottle/life-text.js';
import { useFleet } from '../fleet/queries.js';
import { BulkBar } from './bulk/BulkBar.js';
import { type Selection, useSelection } from './bulk/selection.js';
import { COLUMNS, showColumns, useColumns } from './columns.js';
import { ColumnsMenu } from './ColumnsMenu.js';
import { type BottlesSearch, sortsFor, withPossibleSort } from './sorts.js';
import { ViewsMenu } from './ViewsMenu.js';
import classes from './BottlesPage.module.css';
import { t, numberText } from '../../i18n/i18n.js';

const route = getRouteApi('/bottles');

/** All bottles, with filters, an order, columns and views; several are changed at once. */
export function BottlesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { q, status, user_id, medication, life } = search;
  const { sort } = withPossibleSort(search);
  const query = { q, status, user_id, medication, life, sort };
  const list = useList<ListedBottle>(['bottles'], '/v1/bottles', query);
  const columns = useColumns();
  const selection = useSelection(list.items);
  const go = (to: BottlesSearch): void =>
    void navigate({ search: withoutEmpty(withPossibleSort(to)), replace: true });
  const filter = (change: BottlesSearch): void => go({ ...search, ...change });
  const isNarrowed = q !== undefined || user_id !== undefined;
  const isFiltered = isNarrowed || status !== undefined || medication !== undefined || life !== undefined;
  const sorts = sortsFor(search);
  const lacking = LACKING[sort?.replace('-', '') ?? ''];
  return (
    <>
      <PageHead title={t('Bottles')}>
        <ViewsMenu
          shown={viewOf(search, columns)}
          isNarrowed={isNarrowed}
          onChoose={({ columns: names, ...view }) => {
            showColumns(names);
            go({ status: view.status, medication: view.medication, sort: view.sort });
          }}
        />
        <ColumnsMenu />
        <CsvLink path="/v1/bottles" query={query} name="bottles" />
        {q === undefined && status === undefined && life === undefined && (
          <CsvLink
            path="/v1/bottles/plans"
            query={{ user_id, medication }}
            name="plans"
            label={t('Plans as CSV')}
          />
        )}
      </PageHead>
      <div className={classes['filters']}>
        <TextFilter
          key={q === undefined ? 'empty' : 'given'}
          text={q ?? ''}
          label={t('Filter by user ID, medication or bottle ID')}
          placeholder={t('User ID, medication or bottle ID')}
          onChange={(text) => filter({ q: text === '' ? undefined : text })}
        />
        <StatusFilter value={status as Status | undefined} onChange={(value) => filter({ status: value })} />
        <Select
          className={classes['sort']}
          size="sm"
          aria-label={t('In use, stored or retired')}
          allowDeselect={false}
          data={LIFE_FILTERS}
          value={life ?? (q === undefined ? 'in_use' : 'any')}
          onChange={(value) => filter({ life: value ?? undefined })}
        />
        {sorts.length > 0 && (
          <Select
            className={classes['sort']}
            size="sm"
            aria-label={t('Order')}
            allowDeselect={false}
            data={sorts}
            value={sort ?? 'registered'}
            onChange={(value) => filter({ sort: value ?? undefined })}
          />
        )}
      </div>
      {(user_id !== undefined || medication !== undefined) && (
        <ul className={classes['exact']} aria-label={t('Active filters')}>
          {user_id !== undefined && (
            <FilterChip name={t('user')} value={user_id} onClear={() => filter({ user_id: undefined })} />
          )}
          {medication !== undefined && (
            <FilterChip
              name={t('medication')}
              value={medication}
              onClear={() => filter({ medication: undefined })}
            />
          )}
        </ul>
      )}
      {lacking && list.items?.length !== 0 && <p className={classes['leftOut']}>{lacking.some}</p>}
      <BulkBar selection={selection} />
      <TableList
        list={list}
        empty={<NoBottles filtered={isFiltered} lacking={lacking?.all} />}
        columns={[
          bottleColumn(selection),
          ...columns.map((name) => ({ ...COLUMNS[name], order: orderBy(name, search, filter) })),
        ]}
        rowKey={({ bottle_id }) => bottle_id}
      />
    </>
  );
}

const LIFE_FILTERS = [
  ...Object.entries(LIFE_LABELS).map(([value, label]) => ({ value, label })),
  { value: 'any', label: t('In use or not') },
];

/** How a column orders the list, if the server has that order with these filters. */
function orderBy(
  name: string,
  search: BottlesSearch,
  filter: (change: BottlesSearch) => void,
): ColumnOrder | undefined {
  if (!sortsFor(search).some(({ value }) => value === name)) return undefined;
  const { sort } = withPossibleSort(search);
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined;
  const next = direction === 'ascending' ? `-${name}` : name;
  return { direction, choose: () => filter({ sort: next }) };
}

/** What a view keeps of the list as it is shown. */
function viewOf(search: BottlesSearch, columns: readonly string[]): Omit<SavedView, 'name'> {
  const { status, medication, sort } = withPossibleSort(search);
  return { ...withoutEmpty({ status, medication, sort }), columns: [...columns] };
}

/** Medication, label and person; with a checkbox for those who may change bottles. */
function bottleColumn(selection: Selection | undefined): Column<ListedBottle> {
  return {
    title: t('Bottle'),
    cell: (bottle) => (
      <div className={classes['bottle']}>
        {selection && (
          // native: fifty checkboxes of the library take as long as the rest of the list
          <input
            type="checkbox"
            className={classes['check']}
            aria-label={t('Select {{label}}, {{whose}}', {
              label: bottleText(bottle),
              whose: personText(bottle),
            })}
            checked={selection.has(bottle.bottle_id)}
            onChange={() => selection.toggle(bottle.bottle_id)}
          />
        )}
        <BottleName bottle={bottle} small={personText(bottle)} />
      </div>
    ),
  };
}

function FilterChip({ name, value, onClear }: { name: string; value: string; onClear: () => void }) {
  return (
    <li className={classes['chip']}>
      <span>
        {name}: <strong>{value}</strong>
      </span>
      <CloseButton size="sm" aria-label={t('Clear {{name}} filter', { name })} onClick={onClear} />
    </li>
  );
}

interface StatusFilterProps {
  value: Status | undefined;
  onChange: (value: Status | undefined) => void;
}

/** Every status with its count in the whole fleet. */
function StatusFilter({ value, onChange }: StatusFilterProps) {
  const bottles = useFleet().data?.bottles;
  return (
    <div role="group" aria-label={t('Status')} className={classes['filter']}>
      {[undefined, ...STATUSES].map((status) => {
        const count = status === undefined ? bottles?.total : bottles?.by_status[status];
        return (
          <UnstyledButton
            key={status ?? 'all'}
            className={classes['choice']}
            aria-pressed={value === status}
            onClick={() => onChange(value === status ? undefined : status)}
          >
            {status && <Mark of={STATUS[status]} size={14} />}
            {status ? STATUS[status].label : t('All')}
            {count !== undefined && <span className={classes['count']}>{numberText(count)}</span>}
          </UnstyledButton>
        );
      })}
    </div>
  );
}

/** Orders that leave bottles out: the text if it is some of them, or all. */
const LACKING: Record<string, { some: string; all: string }> = {
  next_dose: {
    some: t('Bottles without a next dose are not listed in this order.'),
    all: t('No bottles have a next dose'),
  },
  battery: {
    some: t('Bottles that have not reported their battery are not listed in this order.'),
    all: t('No bottles have reported their battery'),
  },
};

function NoBottles({ filtered, lacking }: { filtered: boolean; lacking: string | undefined }) {
  if (lacking !== undefined) {
    return (
      <Empty title={lacking}>
        <Link to="/bottles">{t('Show all bottles')}</Link>
      </Empty>
    );
  }
  if (filtered)
    return <Empty title={t('No matching bottles')}>{t('Try a shorter text or clear a filter.')}</Empty>;
  return (
    <Empty title={t('No bottles yet')}>
      <Trans
        i18nKey="<register>Register a bottle</register>, or import many from CSV."
        components={{ register: <Link to="/register" /> }}
      />
    </Empty>
  );
}
