import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { Trans } from 'react-i18next';
import { ifMatch, request } from '../../../api/request.js';
import { useMay } from '../../../api/session.js';
import type { ScheduleVersion } from '../../../api/schema.js';
import { queries } from '../../../app/services.js';
import { t } from '../../../i18n/i18n.js';
import { useNow } from '../../../time/clock.js';
import { Moment, Period } from '../../../time/Moment.js';
import { Confirmed } from '../../../ui/Confirmed.js';
import { notify, notifyError } from '../../../ui/notify.js';
import { useBottle } from '../queries.js';
import { scheduleText, windowText } from './schedule-text.js';
import classes from './ScheduleTab.module.css';

interface StepProps {
  step: ScheduleVersion;
  isCurrent: boolean;
  /** The step that has its time if it is removed. */
  before: ScheduleVersion | null;
  next: ScheduleVersion | undefined;
  onEdit: () => void;
}

/** A step of the plan: from when to when, what is due then, and how to change it. */
export function Step({ step, isCurrent, before, next, onEdit }: StepProps) {
  const { schedule, time_zone: zone, effective_from: from } = step;
  const id = useId();
  const present = useNow();
  const isSupport = useMay('support');
  return (
    <li className={classes['version']}>
      <h3 id={id}>
        {isCurrent && <>{t('Now:')} </>}
        {next ? (
          <Period from={from} to={next.effective_from} zone={zone} />
        ) : (
          <Trans i18nKey="From <at/>" components={{ at: <Moment at={from} zone={zone} /> }} />
        )}
      </h3>
      <p className={classes['text']}>{scheduleText(schedule, zone, present)}.</p>
      {schedule.kind !== 'as_needed' && <p className={classes['quiet']}>{windowText(schedule)}</p>}
      <p className={classes['quiet']}>{t('Time zone: {{zone}}.', { zone })}</p>
      {isSupport && (
        <div className={classes['buttons']}>
          <Button size="xs" variant="default" aria-describedby={id} onClick={onEdit}>
            {t('Edit')}
          </Button>
          {/* what has begun without a step before it can only be changed */}
          {(before || !isCurrent) && <Removal step={step} isCurrent={isCurrent} before={before} />}
        </div>
      )}
    </li>
  );
}

function Removal({ step, isCurrent, before }: Pick<StepProps, 'step' | 'isCurrent' | 'before'>) {
  const { bottle_id, version } = useBottle();
  const present = useNow();
  const removal = useMutation({
    mutationFn: () =>
      request('DELETE', `/v1/bottles/${bottle_id}/schedule`, {
        query: { effective_from: step.effective_from },
        headers: ifMatch(version),
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['bottle', bottle_id] });
      notify(t('Step removed.'));
    },
    onError: notifyError,
  });
  const schedule = before && scheduleText(before.schedule, before.time_zone, present);
  const text = !schedule
    ? t('Then nothing is due in its time.')
    : isCurrent
      ? t('From now on, the step before it applies again: {{schedule}}.', { schedule })
      : t('In its time, the step before it applies: {{schedule}}.', { schedule });
  return (
    <Confirmed
      label={t('Remove')}
      action={t('Remove the step')}
      text={text}
      size="xs"
      variant="default"
      pending={removal.isPending}
      onConfirm={() => removal.mutate()}
    />
  );
}
