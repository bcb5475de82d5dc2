import { useRef, useState } from 'react';
import { ApiError, isStatus } from '../../../api/http.js';
import { get, IF_NONE, request } from '../../../api/request.js';
import { session } from '../../../api/session.js';
import type { ScheduleWarning } from '../../../api/schema.js';
import { cutCsv, type FileRow, lineInFile, type Part, rowsByLine } from './csv-parts.js';
import { contactPath } from '../../person/ContactLine.js';
import { type FileContact, splitContacts } from './file-contacts.js';
import { digestOf, forgetImport, importOf, type ImportProgress, isRemembered, keep } from './progress.js';

export interface Created {
  line: number;
  bottle_id: string;
  token: string;
  /** What the file says of it. */
  row: FileRow | undefined;
  warnings: readonly ScheduleWarning[];
}

/** A contact of the file. One that the person has already stays as it is. */
export interface SavedContact extends FileContact {
  result: 'made' | 'kept' | Error;
}

export interface ImportState {
  phase: 'idle' | 'checking' | 'registering' | 'contacts' | 'stopped' | 'unsure' | 'done';
  /** Bottles that are checked or registered, of `total`. */
  done: number;
  total: number;
  created: readonly Created[];
  /** Lines of bottles that were registered in an earlier session: their tokens cannot be shown any more. */
  lost: readonly [first: number, last: number][];
  /** What became of the contacts in the file. */
  contacts: readonly SavedContact[];
  /** Of `unsure`: a part that was sent in an earlier session without an answer. */
  part?: Part;
  error: Error | null;
}

const IDLE: ImportState = {
  phase: 'idle',
  done: 0,
  total: 0,
  created: [],
  lost: [],
  contacts: [],
  error: null,
};

/** A part may have been registered, and only a person can find out. */
class Unsure extends Error {
  constructor(readonly part: Part) {
    super('unsure');
  }
}

/**
 * Imports a file part by part. Each part has an idempotency key, so a part that is sent again is registered once and
 * its tokens come again, also after a reload, if the same file is chosen.
 */
export function useImport() {
  const [state, setState] = useState(IDLE);
  /** What staff have found out about parts that may be registered. */
  const decided = useRef(new Map<number, 'registered' | 'missing'>());

  /** The answers of this visit, by their idempotency keys. */
  const received = useRef(new Map<string, Created[]>());

  /** By the user's id. */
  const saved = useRef(new Map<string, SavedContact>());

  const run = async (csv: string): Promise<void> => {
    const { csv: bottles, contacts } = splitContacts(csv);
    const parts = cutCsv(bottles);
    const rows = rowsByLine(csv);
    const total = parts.reduce((sum, { bottles }) => sum + bottles, 0);
    const progress = importOf(csv, parts.length);
    const update = (change: Partial<ImportState>): void => setState((before) => ({ ...before, ...change }));
    const created: Created[] = [];
    const lost: [number, number][] = [];
    let done = 0;
    try {
      // asks for a sign-in if the session has ended
      await get('/v1/session');
      // one part is registered whole or not at all; of several, nothing is registered before all are valid
      if (parts.length > 1 && progress.done === 0 && progress.sentIn.length === 0) {
        setState({ ...IDLE, phase: 'checking', total });
        for (const part of parts) {
          await post(part, '/v1/bottles/import/check');
          update({ done: (done += part.bottles) });
        }
      }
      done = 0;
      setState({ ...IDLE, phase: 'registering', total });
      for (const [index, part] of parts.entries()) {
        const key = `${progress.id}-${index}`;
        const answer =
          received.current.get(key) ??
          (await register(part, rows, { index, progress, decided: decided.current.get(index) }));
        if (answer) received.current.set(key, answer);
        if (answer) created.push(...answer);
        else lost.push([part.firstLine, part.lastLine]);
        progress.done = Math.max(progress.done, index + 1);
        keep(progress);
        update({ done: (done += part.bottles), created: [...created], lost: [...lost] });
      }
      for (const contact of contacts) {
        update({ phase: 'contacts', contacts: [...saved.current.values()] });
        if (!saved.current.has(contact.user_id))
          saved.current.set(contact.user_id, { ...contact, result: await saveContact(contact) });
      }
      update({ phase: 'done', contacts: [...saved.current.values()] });
    } catch (error) {
      if (error instanceof Unsure) update({ phase: 'unsure', part: error.part });
      else {
        // nothing of a file with an error in its only part is registered
        if (progress.done === 0 && error instanceof ApiError && error.status === 400) forgetImport();
        update({ phase: 'stopped', error: error as Error });
      }
    }
  };
  return {
    state,
    start: (csv: string): void => void run(csv),
    decide: (csv: string, answer: 'registered' | 'missing'): void => {
      decided.current.set(
        cutCsv(splitContacts(csv).csv).findIndex(({ firstLine }) => firstLine === state.part?.firstLine),
        answer,
      );
      void run(csv);
    },
    reset: (): void => {
      decided.current.clear();
      saved.current.clear();
      setState(IDLE);
    },
  };
}

/** @throws ApiError if it is worth another attempt */
async function saveContact({ user_id, contact }: FileContact): Promise<SavedContact['result']> {
  try {
    await request('PUT', contactPath(user_id), { body: contact, headers: IF_NONE });
    return 'made';
  } catch (error) {
    if (isStatus(error, 412)) return 'kept';
    if (isStatus(error, 400)) return error as Error;
    throw error;
  }
}

/** @returns nothing if the part was registered in an earlier session. @throws Unsure */
async function register(
  part: Part,
  rows: ReadonlyMap<number, FileRow>,
  {
    index,
    progress,
    decided,
  }: { index: number; progress: ImportProgress; decided: 'registered' | 'missing' | undefined },
): Promise<Created[] | undefined> {
  const wasSent = progress.sentIn[index] !== undefined;
  if (wasSent && !isRemembered(progress, index, currentSession())) {
    if (index < progress.done || decided === 'registered') return undefined;
    if (decided === undefined) throw new Unsure(part);
  }
  progress.sentIn[index] = currentSession();
  keep(progress);
  const key = `${progress.id}-${index}`;
  const { created } = await post<{ created: Created[] }>(part, '/v1/bottles/import', {
    'idempotency-key': key,
  });
  // the session may have ended, and the request been sent again in a new one
  progress.sentIn[index] = currentSession();
  return created.map((bottle) => {
    const line = lineInFile(part, bottle.line);
    return { ...bottle, line, row: rows.get(line) };
  });
}

/** Errors name the lines of the file. */
async function post<T>(part: Part, path: string, headers: Record<string, string> = {}): Promise<T> {
  try {
    return await request<T>('POST', path, { text: { type: 'text/csv', content: part.csv }, headers });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const errors = error.errors.map((one) => ({
      ...one,
      ...(one.line !== undefined && { line: lineInFile(part, one.line) }),
    }));
    throw new ApiError(
      error.status,
      error.code,
      error.message,
      errors,
      error.retryAfterSeconds,
      error.errorId,
    );
  }
}

const currentSession = (): string => digestOf(session.csrf);
