import { Button, Modal, Radio, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { whoseBottleText } from '../../bottle/names.js';
import { type ReactNode, useState } from 'react';
import { get } from '../../../api/request.js';
import type { ContactDetails, ListedBottle } from '../../../api/schema.js';
import { ADDRESS_FIELDS } from '../../../channels.js';
import { now } from '../../../time/clock.js';
import { localDay, VIEWER_ZONE } from '../../../time/format.js';
import { ZoneSelect } from '../../../time/ZoneSelect.js';
import { Form, useCloseGuard } from '../../../ui/Form.js';
import { Mark, type Meaning } from '../../../ui/Mark.js';
import { withCarer, withoutCarers } from './carer-changes.js';
import { assignTo, endPause, giveCarer, moveTo, pauseUntil, removeCarers, type Seen } from './changes.js';
import { type DoseTimes, DoseTimesChoice, MovedDoseList } from '../../bottle/manage/MovedDoses.js';
import { CarerFields } from './CarerFields.js';
import { type BulkRun, type Progress, useBulkRun } from './run.js';
import classes from './Bulk.module.css';
import { t } from '../../../i18n/i18n.js';

/** Of a carer: beside those that a person has. */
const FURTHER = 'further';

/** What staff do with several bottles at once. */
export const BULK_CHANGES = {
  pause: {
    button: t('Pause'),
    title: (count: number) => t('Pause {{count, number}} bottles', { count }),
    action: t('Pause'),
  },
  'end-pause': {
    button: t('End pause'),
    title: (count: number) => t('End the pause of {{count, number}} bottles', { count }),
    action: t('End pauses'),
  },
  zone: {
    button: t('Time zone'),
    title: (count: number) => t('Change the time zone of {{count, number}} bottles', { count }),
    action: t('Change time zone'),
  },
  gateway: {
    button: t('Gateway'),
    title: (count: number) => t('Assign a gateway to {{count, number}} bottles', { count }),
    action: t('Assign'),
  },
  carer: {
    button: t('Carer'),
    title: (count: number) => t('Give the people of {{count, number}} bottles a carer', { count }),
    action: t('Change carer'),
  },
  'no-carer': {
    button: t('Remove carer'),
    title: (count: number) => t('Remove carers of the people of {{count, number}} bottles', { count }),
    action: t('Remove carers'),
  },
};
export type BulkName = keyof typeof BULK_CHANGES;

interface BulkDialogProps {
  name: BulkName;
  bottles: readonly ListedBottle[];
  onClose: (isDone: boolean) => void;
}

/** Changes the selected bottles one by one and shows the result of each. */
export function BulkDialog({ name, bottles, onClose }: BulkDialogProps) {
  const [chosen] = useState(bottles);
  const ofContacts = name === 'carer' || name === 'no-carer';
  const run = useBulkRun(chosen, ofContacts);
  const [carer, setCarer] = useState<ContactDetails>({});
  const [value, setValue] = useState('');
  const [doseTimes, setDoseTimes] = useState<DoseTimes>('from_next_dose');
  const gateways = useGateways(name === 'gateway');
  const gateway = gateways.find(({ id }) => id === value);
  const { title, action } = BULK_CHANGES[name];
  const isSettled = run.phase === 'finished';
  const isBusy = run.phase === 'reading' || run.phase === 'running';
  const close = (): void => {
    if (run.phase !== 'running') onClose(isSettled && run.failed === 0);
  };
  const guard = useCloseGuard(close, !isSettled);
  const isGiven = isComplete(name, value, carer);
  /** What a change of contacts would make of a bottle's user. */
  const previewOf = (seen: Seen | undefined): string => {
    if (!ofContacts || seen?.contact === undefined || !isGiven) return '';
    const change =
      name === 'carer'
        ? withCarer(seen.contact, carer, value === FURTHER)
        : withoutCarers(seen.contact, value);
    return change ? change.text : t('Nothing to do');
  };
  const start = (): void => {
    if (name === 'pause') run.start(pauseUntil(value));
    else if (name === 'end-pause') run.start(endPause);
    else if (name === 'zone') run.start(moveTo(value, doseTimes));
    else if (name === 'carer') run.start(giveCarer(carer, value === FURTHER));
    else if (name === 'no-carer') run.start(removeCarers(value));
    else if (gateway) run.start(assignTo(gateway));
  };
  const inputs: Record<BulkName, ReactNode> = {
    pause: (
      <TextInput
        type="date"
        label={t('Last day of the pause')}
        description={t('From now to the end of this day in each patient’s time zone, no dose is due.')}
        required
        min={localDay(now(), VIEWER_ZONE)}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        data-autofocus
      />
    ),
    'end-pause': <p>{t('Doses are due again from now on. Planned pauses stay.')}</p>,
    zone: (
      <>
        <ZoneSelect
          label={t('Patient’s time zone')}
          description={t('Schedules with a time zone of their own stay as they are.')}
          value={value}
          onChange={setValue}
        />
        <div>
          <p>{t('Doses after the move')}</p>
          <DoseTimesChoice value={doseTimes} onChange={setDoseTimes} />
        </div>
      </>
    ),
    gateway: (
      <Select
        label={t('Gateway')}
        description={t('It may report for these bottles, beside those that already may.')}
        data={gateways.map(({ id, name: label }) => ({ value: id, label }))}
        value={value === '' ? null : value}
        onChange={(id) => setValue(id ?? '')}
        nothingFoundMessage={t('There are no gateways.')}
        searchable
      />
    ),
    carer: (
      <>
        <Radio.Group
          label={t('Where a person has a carer')}
          value={value === FURTHER ? FURTHER : 'first'}
          onChange={setValue}
        >
          <Radio value="first" label={t('Replace the first one; others stay')} />
          <Radio value={FURTHER} label={t('Add a further one')} />
        </Radio.Group>
        <CarerFields carer={carer} onChange={setCarer} />
      </>
    ),
    'no-carer': (
      <TextInput
        label={t('Which carer?')}
        description={t(
          'The name, e-mail address or number; leave blank for all carers. Steps that name nobody else are removed.',
        )}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
    ),
  };
  return (
    <Modal
      opened
      size="lg"
      // results are not thrown away by a click beside the dialog
      closeOnClickOutside={false}
      {...guard.modal}
      title={title(chosen.length)}
    >
      {guard.question}
      <Form onSubmit={start} onInput={guard.onInput} className={classes['form']}>
        {!isSettled && inputs[name]}
        <p role="status" className={classes['summary']}>
          {summaryOf(run, chosen.length)}
        </p>
        <div className={classes['buttons']}>
          {!isBusy && run.failed > 0 && (
            <Button variant="default" onClick={run.retry}>
              {t('Load {{count, number}} failed bottles again', { count: run.failed })}
            </Button>
          )}
          <Button variant="default" disabled={run.phase === 'running'} onClick={close}>
            {isSettled ? t('Close') : t('Cancel')}
          </Button>
          {!isSettled && (
            <Button type="submit" loading={isBusy} disabled={!isGiven}>
              {action}
            </Button>
          )}
        </div>
        <ul className={classes['results']} aria-label={t('Bottles')}>
          {chosen.map((bottle) => (
            <Result
              key={bottle.bottle_id}
              bottle={bottle}
              progress={run.progressOf(bottle.bottle_id)}
              preview={
                name === 'zone' && value !== '' && bottle.time_zone !== value ? (
                  <Moves bottle={bottle} zone={value} doseTimes={doseTimes} />
                ) : (
                  previewOf(run.seenOf(bottle.bottle_id))
                )
              }
            />
          ))}
        </ul>
      </Form>
    </Modal>
  );
}

function isComplete(name: BulkName, value: string, carer: ContactDetails): boolean {
  if (name === 'end-pause' || name === 'no-carer') return true;
  if (name === 'carer') return ADDRESS_FIELDS.some(({ key }) => key !== 'name' && carer[key]);
  return value !== '';
}

interface Gateway {
  id: string;
  name: string;
  revoked_at?: string;
}

function useGateways(enabled: boolean): Gateway[] {
  const { data } = useQuery({
    queryKey: ['gateways'],
    queryFn: ({ signal }) => get<{ items: Gateway[] }>('/v1/gateways', { query: { limit: 200 }, signal }),
    enabled,
  });
  return (data?.items ?? []).filter(({ revoked_at }) => revoked_at === undefined);
}

function summaryOf({ phase, failed }: BulkRun, count: number): string {
  if (phase === 'reading') return t('Loading the bottles…');
  if (phase === 'running') return t('Changing the bottles…');
  if (phase === 'finished') {
    const done = t('{{count, number}} bottles: done.', { count: count - failed });
    return failed === 0 ? done : `${done} ${t('{{count}} failed.', { count: failed })}`;
  }
  return failed === 0 ? '' : t('{{count, number}} bottles could not be loaded.', { count: failed });
}

const DONE: Meaning = { label: t('Done'), tone: 'ok', shape: 'check' };
const SKIPPED: Meaning = { label: t('Nothing to do'), tone: 'unknown', shape: 'slashed' };
const FAILED: Meaning = { label: t('Failed'), tone: 'late', shape: 'cross' };

interface ResultProps {
  bottle: ListedBottle;
  progress: Progress;
  /** What would change, before it does; may be empty. */
  preview: ReactNode;
}

function Result({ bottle, progress, preview }: ResultProps) {
  const result = resultOf(progress);
  return (
    <li className={classes['result']}>
      <span className={classes['whose']}>{whoseBottleText(bottle)}</span>
      {!result && preview && <div className={classes['text']}>{preview}</div>}
      {result && (
        <span className={classes['text']}>
          <Mark of={result.meaning} label={result.meaning.label} size={14} /> {result.text}
        </span>
      )}
    </li>
  );
}

function resultOf(progress: Progress): { meaning: Meaning; text: string } | undefined {
  if (progress.kind === 'waiting') return undefined;
  if (progress.kind === 'failed') return { meaning: FAILED, text: progress.error };
  const { text, skipped } = progress.done;
  return { meaning: skipped ? SKIPPED : DONE, text };
}

/** Which doses a change of the zone moves to when; asked for when it is opened. */
function Moves({
  bottle: { bottle_id, time_zone },
  zone,
  doseTimes,
}: {
  bottle: ListedBottle;
  zone: string;
  doseTimes: DoseTimes;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('Doses that move')}</summary>
      {isOpen && (
        <MovedDoseList bottleId={bottle_id} from={time_zone ?? zone} to={zone} doseTimes={doseTimes} />
      )}
    </details>
  );
}
