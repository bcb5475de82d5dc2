import type { ExpectedAlert } from './facts.js';

/** Somebody of a contact asks for help with a dose, by the link of a mail. */
export interface HelpCall {
  dose: number;
  at: number;
  /** The address of the mail. */
  to: string;
  /** Who asks. */
  by: string;
  /** When it was withdrawn. */
  undoneAt?: number;
}

/** The alert that a call for help is (HELP-1, HELP-3). */
export function callForHelp(bottle: string, { dose, at, by, undoneAt }: HelpCall): ExpectedAlert {
  return {
    bottle,
    kind: 'help_requested',
    raisedAt: at,
    raisedBy: at,
    ends: undoneAt === undefined ? [] : [{ at: undoneAt, event: 'resolved' }],
    flapping: false,
    clear: [],
    wakesFrom: 0,
    askedBy: by,
    facts: { dose },
  };
}
