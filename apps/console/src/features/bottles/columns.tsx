import { Link } from '@tanstack/react-router';
import type { LastAction, ListedBottle } from '../../api/schema.js';
import { Store, useStore } from '../../api/store.js';
import { Moment } from '../../time/Moment.js';
import type { Column } from '../../ui/List.js';
import { Marked, meaningOf } from '../../ui/Mark.js';
import { STATUS } from '../../ui/meanings.js';
import table from '../../ui/Table.module.css';
import { t, numberText } from '../../i18n/i18n.js';
import { amountText } from '../../i18n/pills.js';

const none = (text: string) => <span className={table['quiet']}>{text}</span>;

/** The columns beside the bottle itself, by their names in saved views; in the order in which they are shown. */
export const COLUMNS = {
  status: { title: t('Status'), cell: ({ status }) => <Marked of={meaningOf(STATUS, status)} /> },
  open_alerts: {
    title: t('Open alerts'),
    as: 'number',
    cell: ({ bottle_id, open_alert_count: count }) =>
      count === 0 ? (
        none('0')
      ) : (
        <Link to="/bottles/$bottleId" params={{ bottleId: bottle_id }}>
          {count}
        </Link>
      ),
  },
  next_dose: {
    title: t('Next dose'),
    cell: ({ next_dose_at: at, time_zone }) =>
      at === null ? none(t('None')) : <Moment at={at} {...(time_zone !== null && { zone: time_zone })} />,
  },
  last_seen: {
    title: t('Last seen'),
    cell: ({ last_heard_at: at }) => (at === null ? t('Never') : <Moment at={at} as="ago" />),
  },
  last_action: { title: t('Last action'), cell: ({ last_action }) => <Action action={last_action} /> },
  pills_left: {
    title: t('Pills left'),
    as: 'number',
    cell: ({ pills_left }) => (pills_left === null ? none(t('unknown')) : amountText(pills_left)),
  },
  battery: {
    title: t('Battery'),
    as: 'number',
    cell: ({ battery_percent: percent }) =>
      percent === null ? none(t('unknown')) : `${numberText(Math.round(percent))} %`,
  },
  time_zone: { title: t('Time zone'), cell: ({ time_zone }) => time_zone ?? none(t('unknown')) },
  bottle_id: { title: t('Bottle ID'), as: 'mono', cell: ({ bottle_id }) => bottle_id },
} satisfies Record<string, Column<ListedBottle>>;

export type ColumnName = keyof typeof COLUMNS;
export const COLUMN_NAMES = Object.keys(COLUMNS) as ColumnName[];
const DEFAULT: readonly ColumnName[] = [
  'status',
  'open_alerts',
  'next_dose',
  'last_seen',
  'last_action',
  'pills_left',
];

const SETTING = 'pillwatch.bottle-columns';
const chosen = new Store<readonly ColumnName[]>(stored());

/** The columns that this browser shows. */
export const useColumns = (): readonly ColumnName[] => useStore(chosen);

/** Shows these columns, here and at the next visit; what is not a column is ignored. */
export function showColumns(names: readonly string[]): void {
  const shown = COLUMN_NAMES.filter((name) => names.includes(name));
  localStorage.setItem(SETTING, shown.join(' '));
  chosen.set(shown);
}

function stored(): readonly ColumnName[] {
  const names = localStorage.getItem(SETTING)?.split(' ');
  return names ? COLUMN_NAMES.filter((name) => names.includes(name)) : DEFAULT;
}

function Action({ action }: { action: LastAction | null }) {
  if (!action) return none(t('None'));
  return (
    <>
      {action.action === 'opened' ? t('Opened') : t('Closed')} <Moment at={action.time} />
    </>
  );
}
