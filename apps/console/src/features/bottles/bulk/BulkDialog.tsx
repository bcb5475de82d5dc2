import { Button, Modal, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { get } from '../../../api/request.js';
import type { ListedBottle } from '../../../api/types.js';
import { now } from '../../../time/clock.js';
import { localDay, VIEWER_ZONE } from '../../../time/format.js';
import { ZoneSelect } from '../../../time/ZoneSelect.js';
import { Form } from '../../../ui/Form.js';
import { Mark, type Meaning } from '../../../ui/Mark.js';
import { assignTo, endPause, moveTo, pauseUntil } from './changes.js';
import { type BulkRun, type Progress, useBulkRun } from './run.js';
import classes from './Bulk.module.css';
import { t } from '../../../i18n/i18n.js';

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
  const run = useBulkRun(chosen);
  const [value, setValue] = useState('');
  const gateways = useGateways(name === 'gateway');
  const gateway = gateways.find(({ id }) => id === value);
  const { title, action } = BULK_CHANGES[name];
  const isSettled = run.phase === 'finished';
  const isBusy = run.phase === 'reading' || run.phase === 'running';
  const start = (): void => {
    if (name === 'pause') run.start(pauseUntil(value));
    else if (name === 'end-pause') run.start(endPause);
    else if (name === 'zone') run.start(moveTo(value));
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
      <ZoneSelect
        label={t('Patient’s time zone')}
        description={t('A schedule without its own time zone follows this one from now on.')}
        value={value}
        onChange={setValue}
      />
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
  };
  return (
    <Modal
      opened
      size="lg"
      // results are not thrown away by a click beside the dialog
      closeOnClickOutside={false}
      onClose={() => run.phase !== 'running' && onClose(isSettled && run.failed === 0)}
      title={title(chosen.length)}
    >
      <Form onSubmit={start} className={classes['form']}>
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
          <Button
            variant="default"
            disabled={run.phase === 'running'}
            onClick={() => onClose(isSettled && run.failed === 0)}
          >
            {isSettled ? t('Close') : t('Cancel')}
          </Button>
          {!isSettled && (
            <Button type="submit" loading={isBusy} disabled={name !== 'end-pause' && value === ''}>
              {action}
            </Button>
          )}
        </div>
        <ul className={classes['results']} aria-label={t('Bottles')}>
          {chosen.map((bottle) => (
            <Result key={bottle.bottle_id} bottle={bottle} progress={run.progressOf(bottle.bottle_id)} />
          ))}
        </ul>
      </Form>
    </Modal>
  );
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

function Result({ bottle: { medication, user_id }, progress }: { bottle: ListedBottle; progress: Progress }) {
  const result = resultOf(progress);
  return (
    <li className={classes['result']}>
      <span className={classes['whose']}>
        {medication} · {user_id}
      </span>
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
