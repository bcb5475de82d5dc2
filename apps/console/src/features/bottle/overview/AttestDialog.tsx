import { NumberInput, SegmentedControl, Select, TextInput } from '@mantine/core';
import { post } from '../../../api/request.js';
import type { Reported } from '../../../api/schema.js';
import type { Attestor, PillSource, SkipReason } from '../../../api/vocabulary.js';
import { toIso } from '../../../time/calendar.js';
import { localDay } from '../../../time/format.js';
import { useZone } from '../../../time/Moment.js';
import { FormDialog, useForm } from '../../../ui/Form.js';
import { notify } from '../../../ui/notify.js';
import { SKIP_REASONS } from '../reported-text.js';
import classes from './AttestDialog.module.css';
import { AttestedBy } from './AttestedBy.js';
import { Choice } from './Choice.js';
import { StatementHistory } from './StatementHistory.js';
import { t } from '../../../i18n/i18n.js';
import { amountText } from '../../../i18n/pills.js';

export interface AttestedDose {
  scheduled_at: string;
  pills_scheduled: number;
  pills_taken: number;
  reported: Reported | null;
}

type Kind = 'taken' | 'skipped' | 'not_taken';

interface Draft {
  kind: Kind;
  /** In the page's zone. */
  day: string;
  /** Blank: not known. */
  time: string;
  pills: number | '';
  /** Blank: not known. */
  source: PillSource | '';
  reason: SkipReason | null;
  attested_by: Attestor;
  note: string;
}

const KINDS: { value: Kind; label: string }[] = [
  { value: 'taken', label: t('Taken') },
  { value: 'skipped', label: t('Skipped') },
  { value: 'not_taken', label: t('Removed for later') },
];

const SOURCES: { value: PillSource | ''; label: string }[] = [
  { value: '', label: t('Not known') },
  { value: 'from_bottle', label: t('The bottle') },
  { value: 'elsewhere', label: t('Elsewhere') },
];

const REASONS = [...SKIP_REASONS].map(([value, label]) => ({ value, label }));

interface AttestDialogProps {
  bottleId: string;
  dose: AttestedDose;
  title: string;
  attestedBy: Attestor;
  onClose: () => void;
}

/** Records what somebody says became of a dose, with all that they say. */
export function AttestDialog({ bottleId, dose, title, attestedBy, onClose }: AttestDialogProps) {
  const zone = useZone();
  const due = Date.parse(dose.scheduled_at);
  const dueDay = localDay(due, zone);
  const initial: Draft = {
    kind: 'taken',
    day: dueDay,
    time: '',
    pills: dose.pills_scheduled,
    source: '',
    reason: null,
    attested_by: attestedBy,
    note: '',
  };
  const { values, set, saving, text, number, errorOf } = useForm({
    initial,
    save: (draft, key) =>
      post(
        `/v1/bottles/${bottleId}/attestations`,
        { scheduled_at: dose.scheduled_at, ...statementOf(draft, zone) },
        key,
      ),
    onSaved: () => {
      notify(t('Recorded.'));
      onClose();
    },
  });
  const { kind } = values;
  // without a time another day would be dropped
  const isOtherDay = values.day !== dueDay;
  return (
    <FormDialog
      title={title}
      action={t('Record')}
      saving={saving}
      disabled={kind === 'skipped' && values.reason === null}
      onClose={onClose}
    >
      <StatementHistory bottleId={bottleId} scheduledAt={dose.scheduled_at} attestedBy={values.attested_by} />
      <SegmentedControl
        aria-label={t('What they say')}
        data={dose.pills_taken > 0 ? KINDS : KINDS.slice(0, 2)}
        fullWidth
        value={kind}
        onChange={(value) => set({ kind: value })}
      />
      {kind === 'taken' && (
        <>
          <div className={classes['row']}>
            <TextInput
              type="time"
              label={t('Taken at')}
              description={isOtherDay ? zone : t('{{zone}}; optional', { zone })}
              required={isOtherDay}
              {...text('time', 'taken_at')}
              data-autofocus
            />
            <TextInput type="date" label={t('Day')} {...text('day')} />
            <NumberInput
              label={t('Pills')}
              description={t('Scheduled: {{pills}}', { pills: amountText(dose.pills_scheduled) })}
              min={0.25}
              step={0.25}
              max={dose.pills_scheduled}
              {...number('pills')}
            />
          </div>
          <Choice
            label={t('Where from')}
            data={SOURCES}
            value={values.source}
            onChange={(source) => set({ source })}
          />
        </>
      )}
      {kind === 'skipped' && (
        <Select
          label={t('Reason')}
          data={REASONS}
          required
          value={values.reason}
          error={errorOf('reason')}
          onChange={(reason) => set({ reason })}
        />
      )}
      <AttestedBy values={values} set={set} error={errorOf('note')} />
    </FormDialog>
  );
}

/** The body of the request: what does not belong to the kind, and what is not known, is left out. */
function statementOf({ kind, day, time, pills, source, reason, attested_by, note }: Draft, zone: string) {
  const added = note.trim();
  const taken = {
    ...(time !== '' && { taken_at: toIso(`${day}T${time}`, zone) }),
    ...(pills !== '' && { pills }),
    ...(source !== '' && { source }),
  };
  return {
    kind,
    ...(kind === 'taken' && taken),
    ...(kind === 'skipped' && { reason }),
    attested_by,
    ...(added !== '' && { note: added }),
  };
}
