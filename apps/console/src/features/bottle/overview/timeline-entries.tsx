import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TimelineEntry } from '../../../api/types.js';
import type { Tone } from '../../../ui/Mark.js';

interface Described {
  tone: Tone | undefined;
  text: ReactNode;
}

/** One thing that happened, in words. */
export function describe(entry: TimelineEntry): Described {
  return {
    tone: undefined,
    text: (
      <>
        <span>{entry.kind.replaceAll('_', ' ')}</span> <Link to="/alerts">alerts</Link>
      </>
    ),
  };
}
