import { Button, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Trans } from 'react-i18next';
import { get, patch, post, remove } from '../../api/request.js';
import type { UnmonitoredPeriod } from '../../api/schema.js';
import { useMay } from '../../api/session.js';
import { t } from '../../i18n/i18n.js';
import { localInput, toIso } from '../../time/calendar.js';
import { useNow } from '../../time/clock.js';
import { Moment, Period } from '../../time/Moment.js';
import { Confirmed } from '../../ui/Confirmed.js';
import { Form, FormDialog, FormError, useForm } from '../../ui/Form.js';
import { notify, notifyError } from '../../ui/notify.js';
import { Panel } from '../../ui/Panel.js';
import { Unsaved } from '../../ui/Unsaved.js';
import classes from './Periods.module.css';
import { PERIOD_REASONS, type PeriodReason } from './reasons.js';

interface PeriodsProps {
  /** Of the bottle or the person: `/v1/bottles/...`. */
  path: string;
  /** In which times are entered. */
  zone: string;
  /** Of all bottles of a person. */
  ofPerson?: true;
}

/** Times of which bottles say nothing, past ones included, and a form to enter one. */
export function Periods({ path, zone, ofPerson }: PeriodsProps) {
  const isSupport = useMay('support');
  const list = `${path}/periods`;
  const { data } = useQuery({
    queryKey: ['periods', list],
    queryFn: ({ signal }) => get<{ items: UnmonitoredPeriod[] }>(list, { signal }),
  });
  const periods = data?.items ?? [];
  return (
    <Panel title={t('Periods without monitoring')} aside={ofPerson && t('all bottles')}>
      {periods.length === 0 ? (
        <p className={classes['quiet']}>{t('None so far.')}</p>
      ) : (
        <ul className={classes['periods']}>
          {periods.map((period) => (
            <Row
              key={period.id}
              list={list}
              zone={zone}
              period={period}
              isFixed={period.of_person && !ofPerson}
            />
          ))}
        </ul>
      )}
      {isSupport && <NewPeriod list={list} zone={zone} />}
    </Panel>
  );
}

/** Reads the list again after a change. */
function useChanged(list: string): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['periods', list] });
}

interface RowProps {
  list: string;
  zone: string;
  period: UnmonitoredPeriod;
  /** It is of all bottles of the person, and changed on their page. */
  isFixed: boolean;
}

function Row({ list, zone, period, isFixed }: RowProps) {
  const { id, reason, from, to, note, recorded_by } = period;
  const present = useNow();
  const isSupport = useMay('support');
  const changed = useChanged(list);
  const [editing, setEditing] = useState(false);
  const isNow = Date.parse(from) <= present && (to === null || Date.parse(to) > present);
  const end = useMutation({
    mutationFn: () => patch(`${list}/${id}`, { to: new Date(present).toISOString() }),
    onSuccess: () => {
      notify(t('Period ended.'));
      return changed();
    },
    onError: notifyError,
  });
  const drop = useMutation({
    mutationFn: () => remove(`${list}/${id}`),
    onSuccess: () => {
      notify(t('Period removed. Its doses are judged again.'));
      return changed();
    },
    onError: notifyError,
  });
  return (
    <li className={classes['period']}>
      <span>
        {isNow && <strong>{t('Now:')} </strong>}
        {PERIOD_REASONS[reason]},{' '}
        {to === null ? (
          <Trans i18nKey="from <from/> on" components={{ from: <Moment at={from} /> }} />
        ) : (
          <Period from={from} to={to} />
        )}
        <span className={classes['more']}>
          {[isFixed && t('all bottles of this person'), note, recorded_by].filter(Boolean).join(' · ')}
        </span>
      </span>
      {isSupport && !isFixed && (
        <span className={classes['buttons']}>
          {isNow && (
            <Button variant="default" loading={end.isPending} onClick={() => end.mutate()}>
              {t('End now')}
            </Button>
          )}
          <Button variant="default" onClick={() => setEditing(true)}>
            {t('Edit')}
          </Button>
          <Confirmed
            label={t('Remove')}
            action={t('Remove the period')}
            variant="default"
            pending={drop.isPending}
            onConfirm={() => drop.mutate()}
          />
        </span>
      )}
      {editing && <EditPeriod list={list} zone={zone} period={period} onClose={() => setEditing(false)} />}
    </li>
  );
}

/** What is entered of a period. */
interface Values {
  reason: PeriodReason;
  /** `YYYY-MM-DDTHH:MM`; of a new one empty for now. */
  from: string;
  /** Empty if it is not known. */
  to: string;
  note: string;
}

const EMPTY: Values = { reason: 'hospital', from: '', to: '', note: '' };

function NewPeriod({ list, zone }: { list: string; zone: string }) {
  const changed = useChanged(list);
  const form = useForm({
    initial: EMPTY,
    save: ({ reason, from, to, note }, key) =>
      post(
        list,
        {
          reason,
          ...(from !== '' && { from: toIso(from, zone) }),
          ...(to !== '' && { to: toIso(to, zone) }),
          ...(note.trim() !== '' && { note: note.trim() }),
        },
        key,
      ),
    onSaved: () => {
      form.set(EMPTY);
      notify(t('Period added. Its doses are not monitored.'));
      return changed();
    },
  });
  const { values, saving: add } = form;
  const isTyped = values.from !== '' || values.to !== '' || values.note !== '';
  return (
    <Form onSubmit={() => add.mutate()} className={classes['new']} label={t('New period')}>
      <div className={classes['row']}>
        <PeriodFields {...form} zone={zone} isNew />
      </div>
      {isTyped && <Unsaved text={t('The period is not added.')} />}
      <FormError error={add.error} />
      <div>
        <Button type="submit" variant="default" loading={add.isPending}>
          {t('Add period')}
        </Button>
      </div>
    </Form>
  );
}

interface EditProps {
  list: string;
  zone: string;
  period: UnmonitoredPeriod;
  onClose: () => void;
}

/** Changes a period, also one that is over: what stays as it is is not sent. */
function EditPeriod({ list, zone, period, onClose }: EditProps) {
  const changed = useChanged(list);
  const { id, reason, from, to, note } = period;
  const before: Values = {
    reason,
    from: localInput(Date.parse(from), zone),
    to: to === null ? '' : localInput(Date.parse(to), zone),
    note: note ?? '',
  };
  const form = useForm({
    initial: before,
    save: (values) => {
      const noted = values.note.trim();
      return patch(`${list}/${id}`, {
        ...(values.reason !== before.reason && { reason: values.reason }),
        ...(values.from !== before.from && { from: toIso(values.from, zone) }),
        ...(values.to !== before.to && { to: values.to === '' ? null : toIso(values.to, zone) }),
        ...(noted !== before.note && { note: noted === '' ? null : noted }),
      });
    },
    onSaved: async () => {
      notify(t('Period changed. Its doses are judged again.'));
      await changed();
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('Period without monitoring')}
      action={t('Save changes')}
      saving={form.saving}
      onClose={onClose}
    >
      <PeriodFields {...form} zone={zone} />
    </FormDialog>
  );
}

type FieldsProps = Pick<ReturnType<typeof useForm<Values, unknown>>, 'values' | 'text'> & {
  zone: string;
  isNew?: true;
};

function PeriodFields({ values, text, zone, isNew }: FieldsProps) {
  return (
    <>
      <Select
        w={280}
        label={t('Reason')}
        data={Object.entries(PERIOD_REASONS).map(([value, label]) => ({ value, label }))}
        allowDeselect={false}
        {...text('reason')}
      />
      <TextInput
        w={280}
        type="datetime-local"
        label={t('From')}
        required={!isNew}
        description={isNew ? t('{{zone}}. It may be past. Leave blank to start now.', { zone }) : zone}
        {...text('from')}
      />
      <TextInput
        w={280}
        type="datetime-local"
        label={t('Until')}
        description={
          values.reason === 'pause' ? zone : t('{{zone}}. Leave blank if it is not known.', { zone })
        }
        required={values.reason === 'pause'}
        {...text('to')}
      />
      <TextInput w={280} label={t('Note')} maxLength={1000} {...text('note')} />
    </>
  );
}
