import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { post } from '../../../api/request.js';
import type { SchedulePreview } from '../../../api/schema.js';

const DEBOUNCE_MS = 250;

/**
 * What saving a schedule would make, computed by the server.
 *
 * @param body as for saving it; undefined if there is no schedule
 * @param of what else it depends on: the version of the bottle
 */
export function usePreview(path: string, body: object | undefined, of = '') {
  const [sent] = useDebouncedValue(body && JSON.stringify(body), DEBOUNCE_MS);
  return useQuery({
    queryKey: ['preview', path, of, sent],
    queryFn: () => post<SchedulePreview>(path, JSON.parse(sent!)),
    enabled: sent !== undefined,
    placeholderData: (previous) => previous,
    retry: false,
  });
}
