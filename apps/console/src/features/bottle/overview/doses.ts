import { useQuery } from '@tanstack/react-query';
import { get } from '../../../api/request.js';
import type { Page } from '../../../api/types/common.js';
import type { Dose } from '../../../api/types/doses.js';
import { addMonths, instantOf, type Month } from '../../../time/calendar.js';
import { localDay } from '../../../time/format.js';

const PAGE = 200;

/** The doses of a month, by the day on which they were due in a zone, each day's in the order of time. */
export function useDosesOf(bottleId: string, month: Month, zone: string) {
  return useQuery({
    queryKey: ['bottle', bottleId, 'doses', month, zone],
    queryFn: async ({ signal }) => byDay(await readMonth(bottleId, month, zone, signal), zone),
    placeholderData: (previous) => previous,
  });
}

async function readMonth(bottleId: string, month: Month, zone: string, signal: AbortSignal): Promise<Dose[]> {
  const from = new Date(instantOf(`${month}-01T00:00`, zone)).toISOString();
  const to = new Date(instantOf(`${addMonths(month, 1)}-01T00:00`, zone)).toISOString();
  const doses: Dose[] = [];
  let cursor: string | undefined;
  do {
    const page: Page<Dose> = await get(`/v1/bottles/${bottleId}/doses`, {
      query: { from, to, limit: PAGE, cursor },
      signal,
    });
    doses.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return doses;
}

function byDay(doses: Dose[], zone: string): Map<string, Dose[]> {
  const days = new Map<string, Dose[]>();
  for (const dose of doses.toReversed()) {
    const day = localDay(Date.parse(dose.scheduled_at), zone);
    days.set(day, [...(days.get(day) ?? []), dose]);
  }
  return days;
}
