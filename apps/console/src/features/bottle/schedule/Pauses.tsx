import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { post, remove } from '../../../api/request.js';
import { useMay } from '../../../api/session.js';
import type { PauseView } from '../../../api/schema.js';
import { toIso } from '../../../time/calendar.js';
import { useNow } from '../../../time/clock.js';
import { Period } from '../../../time/Moment.js';
import { Form, FormError, useForm } from '../../../ui/Form.js';
import { notify, notifyError } from '../../../ui/notify.js';
import { Panel } from '../../../ui/Panel.js';
import { Unsaved } from '../../../ui/Unsaved.js';
import { useBottle } from '../queries.js';
import classes from './ScheduleTab.module.css';
import { t } from '../../../i18n/i18n.js';

/** Times in which no dose is due, for example a stay in hospital. */
export function Pauses() {
  const { pauses } = useBottle();
  const present = useNow();
  const isSupport = useMay('support');
  const remaining = pauses.filter(({ to }) => Date.parse(to) > present);
  return (
    <Panel title={t('Pauses')}>
      {remaining.length === 0 ? (
        <p className={classes['quiet']}>{t('No current or planned pauses.')}</p>
      ) : (
        <ul className={classes['pauses']}>
          {remaining.map((pause) => (
            <Row key={`${pause.from} ${pause.to}`} pause={pause} active={Date.parse(pause.from) <= present} />
          ))}
        </ul>
      )}
      {isSupport && <NewPause />}
    </Panel>
  );
}

function Row({ pause: { from, to }, active }: { pause: PauseView; active: boolean }) {
  const { bottle_id } = useBottle();
  const isSupport = useMay('support');
  const end = useMutation({
    mutationFn: () => remove(`/v1/bottles/${bottle_id}/pauses`, { from }),
    onSuccess: () => notify(active ? t('Pause ended.') : t('Pause removed.')),
    onError: notifyError,
  });
  return (
    <li className={classes['pause']}>
      <span>
        {active && <strong>{t('Now:')} </strong>}
        <Period from={from} to={to} />
      </span>
      {isSupport && (
        <Button variant="default" loading={end.isPending} onClick={() => end.mutate()}>
          {active ? t('End now') : t('Remove')}
        </Button>
      )}
    </li>
  );
}

function NewPause() {
  const { bottle_id, time_zone } = useBottle();
  const form = useForm({
    initial: { from: '', to: '' },
    save: ({ from, to }, key) => {
      const pause = {
        ...(from === '' ? {} : { from: toIso(from, time_zone) }),
        to: toIso(to, time_zone),
      };
      return post(`/v1/bottles/${bottle_id}/pauses`, pause, key);
    },
    onSaved: () => {
      form.set({ from: '', to: '' });
      notify(t('Pause added. No dose is due in that time.'));
    },
  });
  const { values, saving: add, text, errorOf } = form;
  return (
    <Form onSubmit={() => add.mutate()} className={classes['newPause']} label={t('New pause')}>
      <div className={classes['row']}>
        <TextInput
          w={280}
          type="datetime-local"
          label={t('Pause from')}
          description={t('{{zone}}. Leave blank to start now.', { zone: time_zone })}
          {...text('from')}
          error={errorOf('pause.from') ?? errorOf('from')}
        />
        <TextInput
          w={280}
          type="datetime-local"
          label={t('Pause until')}
          description={time_zone}
          required
          {...text('to')}
          error={errorOf('pause.to') ?? errorOf('to')}
        />
      </div>
      {(values.from !== '' || values.to !== '') && <Unsaved text={t('The pause is not added.')} />}
      <FormError error={add.error} />
      <div>
        <Button type="submit" variant="default" loading={add.isPending}>
          {t('Add pause')}
        </Button>
      </div>
    </Form>
  );
}
