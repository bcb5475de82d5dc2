import { errorText } from '../../../errors/error-text.js';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { randomKey } from '../../../api/random-key.js';
import { requestVersioned } from '../../../api/request.js';
import type { Bottle, ListedBottle } from '../../../api/schema.js';
import { contactPath, readContact } from '../../person/ContactLine.js';
import type { Change, Done, Seen } from './changes.js';

/** How many requests are on their way at once. */
const AT_ONCE = 4;

/** How far a bottle's change is. */
export type Progress = { kind: 'waiting' } | { kind: 'done'; done: Done } | { kind: 'failed'; error: string };

export interface BulkRun {
  phase: 'reading' | 'ready' | 'running' | 'finished';
  progressOf: (id: string) => Progress;
  /** Changes every bottle that was read and is not done. */
  start: (change: Change) => void;
  /** A bottle that was read. */
  seenOf: (id: string) => Seen | undefined;
  /** Reads the bottles that failed again. */
  retry: () => void;
  failed: number;
}

const WAITING: Progress = { kind: 'waiting' };

/**
 * Reads bottles and then changes them, each by itself: one that fails leaves the others alone.
 *
 * @param withContacts reads the contacts of their users, too
 */
export function useBulkRun(bottles: readonly ListedBottle[], withContacts: boolean): BulkRun {
  const client = useQueryClient();
  // the list may be loaded again meanwhile
  const [ids] = useState(() => bottles.map(({ bottle_id }) => bottle_id));
  const [phase, setPhase] = useState<BulkRun['phase']>('reading');
  const [progress, setProgress] = useState<ReadonlyMap<string, Progress>>(new Map());
  const seen = useRef(new Map<string, Seen>());
  const keys = useRef(new Map(ids.map((id) => [id, randomKey()])));
  const note = (id: string, entry: Progress): void => setProgress((before) => new Map(before).set(id, entry));

  const each = async (some: readonly string[], work: (id: string) => Promise<void>): Promise<void> => {
    const queue = [...some];
    const lane = async (): Promise<void> => {
      for (let id = queue.shift(); id !== undefined; id = queue.shift())
        await work(id).catch((error: Error) => note(id, { kind: 'failed', error: errorText(error) }));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  };
  const read = async (some: readonly string[]): Promise<void> => {
    setPhase('reading');
    await each(some, async (id) => {
      const bottle = await requestVersioned<Bottle>('GET', `/v1/bottles/${id}`);
      const contact = withContacts ? { contact: await readContact(contactPath(bottle.user_id)) } : {};
      seen.current.set(id, { ...bottle, ...contact });
      note(id, WAITING);
    });
    setPhase('ready');
  };
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    void read(ids);
  });

  const are = (kind: Progress['kind']): string[] =>
    ids.filter((id) => (progress.get(id) ?? WAITING).kind === kind);
  return {
    phase,
    seenOf: (id) => seen.current.get(id),
    progressOf: (id) => progress.get(id) ?? WAITING,
    start: (change) => {
      setPhase('running');
      void each(
        are('waiting').filter((id) => seen.current.has(id)),
        async (id) =>
          note(id, { kind: 'done', done: await change(seen.current.get(id)!, keys.current.get(id)!) }),
      ).then(() => {
        setPhase('finished');
        void client.invalidateQueries({ queryKey: ['bottles'] });
        if (withContacts) void client.invalidateQueries({ queryKey: ['contact'] });
      });
    },
    retry: () => void read(are('failed')),
    failed: are('failed').length,
  };
}
