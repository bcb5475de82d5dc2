import type { SkipReason } from '../api/vocabulary.js';
import { attestorName, whatText } from '../features/bottle/reported-text.js';
import { t } from '../i18n/i18n.js';

/** What the evidence of a dose's alert has of the statement that ended or corrected it. Absent fields are undefined. */
interface StatementFacts {
  settled?: 'taken' | 'skipped' | 'withdrawn';
  was?: 'taken' | 'skipped';
  by?: string;
  at?: string;
  taken_at?: string;
  reason?: SkipReason;
}

/** `Reported taken at 08:10 by the carer, 09:15.` */
export function statementSentence(facts: StatementFacts, time: (at: string) => string): string {
  const { settled, was, by = '', at, taken_at = null, reason = null } = facts;
  const outcome = (settled === 'withdrawn' ? was : settled) ?? 'taken';
  const what = whatText({ outcome, taken_at, reason, pills: null, source: null }, time);
  const texts = { what, who: attestorName(by), time: at === undefined ? t('an unknown time') : time(at) };
  return settled === 'withdrawn'
    ? t('The statement “{{what}}” was withdrawn by {{who}}, {{time}}.', {
        ...texts,
        what: outcome === 'skipped' ? t('skipped') : what,
      })
    : `${t('Reported {{what}} by {{who}}, {{time}}', texts)}.`;
}

/** What statements write as the note of the event with which an alert ends. */
export const STATEMENT_EVENTS: Readonly<Record<string, string>> = {
  'reported taken': t('Reported taken'),
  'reported skipped': t('Reported skipped'),
  'statement withdrawn': t('Statement no longer counts'),
  'statement withdrawn, reported taken before': t('Statement withdrawn (reported taken before)'),
  'statement withdrawn, reported skipped before': t('Statement withdrawn (reported skipped before)'),
};
