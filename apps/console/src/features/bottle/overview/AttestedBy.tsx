import { Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Attestor } from '../../../api/vocabulary.js';
import { t } from '../../../i18n/i18n.js';
import { ATTESTOR_LABELS } from '../reported-text.js';
import { Choice } from './Choice.js';

/** Whose word it is. */
export const ATTESTORS = (Object.keys(ATTESTOR_LABELS) as Attestor[]).map((value) => ({
  value,
  label: ATTESTOR_LABELS[value],
}));

interface Draft {
  attested_by: Attestor;
  note: string;
}

interface AttestedByProps {
  values: Draft;
  set: (change: Partial<Draft>) => void;
  /** Of the note. */
  error: ReactNode;
}

/** Whose word a statement is, and a note about it. */
export function AttestedBy({ values, set, error }: AttestedByProps) {
  return (
    <>
      <Choice
        label={t('Reported by')}
        data={ATTESTORS}
        value={values.attested_by}
        onChange={(attested_by) => set({ attested_by })}
      />
      <Textarea
        label={t('Note')}
        description={t('Optional')}
        autosize={false}
        rows={2}
        maxLength={1_000}
        value={values.note}
        error={error}
        onChange={(event) => set({ note: event.currentTarget.value })}
      />
    </>
  );
}
