import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/request.js';
import type { Person } from '../../api/schema.js';
import { VIEWER_ZONE } from '../../time/format.js';

/** Changes of single bottles are not announced: the page asks. */
const REFRESH_MS = 15_000;

export const personPath = (userId: string): string => `/v1/people/${encodeURIComponent(userId)}`;

export function usePerson(userId: string) {
  return useQuery({
    queryKey: ['person', userId],
    queryFn: ({ signal }) => get<Person>(personPath(userId), { signal }),
    refetchInterval: REFRESH_MS,
  });
}

/** The time zone of a person, as far as it is known: that of their first bottle. */
export const zoneOf = ({ bottles, contact }: Person): string =>
  bottles[0]?.time_zone ?? contact?.time_zone ?? VIEWER_ZONE;
