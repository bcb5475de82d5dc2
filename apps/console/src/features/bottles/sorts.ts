import { BOTTLE_SORTS, type BottleSort } from '../../api/vocabulary.js';
import { t } from '../../i18n/i18n.js';

/** The parameters of the page's address. */
export type BottlesSearch = Partial<
  Record<'q' | 'status' | 'user_id' | 'medication' | 'life' | 'sort', string>
>;

const LABELS: Record<BottleSort, string> = {
  registered: t('Registered, oldest first'),
  '-registered': t('Registered, newest first'),
  user_id: t('User ID, A to Z'),
  '-user_id': t('User ID, Z to A'),
  last_seen: t('Longest silent'),
  '-last_seen': t('Last to fall silent'),
  next_dose: t('Next dose, soonest first'),
  '-next_dose': t('Next dose, latest first'),
  battery: t('Battery, lowest first'),
  '-battery': t('Battery, highest first'),
};

/** The orders that the server has for these filters; none for the matches of a text. */
export function sortsFor({ q, status, user_id, medication, life = 'in_use' }: BottlesSearch) {
  if (q !== undefined) return [];
  const isPlain = user_id === undefined && medication === undefined && life === 'in_use';
  const offered: Record<string, boolean> = {
    registered: true,
    user_id: isPlain && status === undefined,
    next_dose: isPlain && status === undefined,
    battery: isPlain && status === undefined,
    last_seen: isPlain && status === 'silent',
  };
  return BOTTLE_SORTS.filter((sort) => offered[sort.replace('-', '')]).map((value) => ({
    value,
    label: LABELS[value],
  }));
}

/** The search without an order that its filters do not allow, and without the default. */
export function withPossibleSort<S extends BottlesSearch>(search: S): S {
  const { sort, ...rest } = search;
  const isPossible = sort !== 'registered' && sortsFor(search).some(({ value }) => value === sort);
  return (isPossible ? search : rest) as S;
}
