import { createContext, useCallback, useContext, useId, useMemo, useState, type ReactNode } from 'react';
import type { CoverageGap } from '../../api/schema.js';
import { useZone } from '../../time/Moment.js';
import { dayAndTime } from '../../time/format.js';
import { useNow } from '../../time/clock.js';
import classes from './Chart.module.css';
import type { Range } from './range.js';
import { t } from '../../i18n/i18n.js';

/** What is drawn into a chart beside its lines. */
export const MARKS = {
  unseen: { label: t('Before the first report'), colour: '--unknown-mark' },
  outage: { label: t('We could not receive reports'), colour: '--late-mark' },
  unchecked: { label: t('No checks ran'), colour: '--open-mark' },
  pause: { label: t('Pause or period without monitoring'), colour: '--accent' },
  silent: { label: t('The bottle was silent'), colour: '--silent-mark' },
  alert: { label: t('Alert'), colour: '--late-mark' },
  taken: { label: t('Dose taken'), colour: '--ok-mark' },
  missed: { label: t('Dose missed'), colour: '--late-mark' },
} as const;
export type MarkKind = keyof typeof MARKS;

/** A time that is shaded, or, without an end, an instant. */
export interface ChartMark {
  kind: MarkKind;
  /** Epoch seconds; infinite if it has no beginning. */
  from: number;
  /** Epoch seconds; infinite while it lasts. */
  to?: number;
  /** What it is, if its kind does not say all. */
  label?: string;
}

export const secondsOf = (at: string): number => Date.parse(at) / 1_000;

/** A time from the API; null: it lasts. */
export const shaded = (kind: MarkKind, from: string, to: string | null, label?: string): ChartMark => ({
  kind,
  from: secondsOf(from),
  to: to === null ? Number.POSITIVE_INFINITY : secondsOf(to),
  ...(label !== undefined && { label }),
});

/** The outages of ours. */
export const outageMarks = (gaps: readonly CoverageGap[]): ChartMark[] =>
  gaps.map(({ part, from, until }) => shaded(part === 'notifier' ? 'unchecked' : 'outage', from, until));

interface Group {
  /** Charts with the same name move their cursors together. */
  sync: string;
  marks: readonly ChartMark[];
  /** Where the axis begins, for `All`: the first value of any chart. Epoch seconds. */
  begins: number | undefined;
  noteFirst: (title: string, first: number | undefined) => void;
}

const GroupContext = createContext<Group | undefined>(undefined);

export function useChartGroup(): Group {
  const group = useContext(GroupContext);
  if (!group) throw new Error('a chart stands in a ChartGroup');
  return group;
}

interface ChartGroupProps {
  range: Range;
  marks: readonly ChartMark[];
  children: ReactNode;
}

/** Charts of one time: one axis, one cursor, and what is marked in all of them, in a list below. */
export function ChartGroup({ range, marks, children }: ChartGroupProps) {
  const sync = useId();
  const [firsts, setFirsts] = useState<Record<string, number | undefined>>({});
  const noteFirst = useCallback((title: string, first: number | undefined) => {
    setFirsts((before) => (before[title] === first ? before : { ...before, [title]: first }));
  }, []);
  const known = Object.values(firsts).filter((first) => first !== undefined);
  const begins = 'span' in range && range.span === 'All' && known.length > 0 ? Math.min(...known) : undefined;
  const group = useMemo(() => ({ sync, marks, begins, noteFirst }), [sync, marks, begins, noteFirst]);
  return (
    <GroupContext.Provider value={group}>
      {children}
      <MarksLegend marks={marks} />
    </GroupContext.Provider>
  );
}

/** Each kind of mark with its colour; the marks themselves for screen readers. */
function MarksLegend({ marks }: { marks: readonly ChartMark[] }) {
  const zone = useZone();
  const present = useNow();
  const kinds = (Object.keys(MARKS) as MarkKind[]).filter((kind) => marks.some((mark) => mark.kind === kind));
  if (kinds.length === 0) return null;
  const at = (seconds: number): string => dayAndTime(seconds * 1_000, zone, present);
  const text = ({ kind, from, to, label }: ChartMark): string =>
    `${label ?? MARKS[kind].label}: ${spanText(from, to, at)}`;
  return (
    <ul className={classes['marks']} aria-label={t('Marked in the charts')}>
      {kinds.map((kind) => (
        <li key={kind}>
          <span
            className={classes['mark']}
            data-kind={kind}
            style={{ color: `var(${MARKS[kind].colour})` }}
            aria-hidden
          />
          {MARKS[kind].label}
          <ul className="visually-hidden">
            {marks
              .filter((mark) => mark.kind === kind)
              .map((mark) => (
                <li key={`${mark.from} ${mark.label}`}>{text(mark)}</li>
              ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function spanText(from: number, to: number | undefined, at: (seconds: number) => string): string {
  if (to === undefined) return at(from);
  if (!Number.isFinite(from))
    return Number.isFinite(to) ? t('until {{time}}', { time: at(to) }) : t('to now');
  return Number.isFinite(to)
    ? t('{{from}} to {{to}}', { from: at(from), to: at(to) })
    : t('{{from}} to now', { from: at(from) });
}
