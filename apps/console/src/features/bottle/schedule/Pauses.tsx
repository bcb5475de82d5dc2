import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldError } from '../../../api/http.js';
import { post, remove } from '../../../api/request.js';
import { useMay } from '../../../api/session.js';
import type { Pause } from '../../../api/types.js';
import { queries } from '../../../app/services.js';
import { instantOf } from '../../../time/calendar.js';
import { useNow } from '../../../time/clock.js';
import { Moment } from '../../../time/Moment.js';
import { notify } from '../../../ui/notify.js';
import { Panel } from '../../../ui/Panel.js';
import { explain } from '../../../ui/States.js';
import { useBottle } from '../queries.js';
import classes from './ScheduleTab.module.css';

/** Times in which no dose is due: a stay in hospital, a doctor's order. */
export function Pauses() {
  const { bottle_id, pauses } = useBottle();
  const present = useNow();
  const supports = useMay('support');
  const coming = pauses.filter(({ to }) => Date.parse(to) > present);
  return (
    <Panel title="Pauses">
      {coming.length === 0 ? (
        <p className={classes['quiet']}>None now, and none to come.</p>
      ) : (
        <ul className={classes['pauses']}>
          {coming.map((pause) => (
            <Row
              key={`${pause.from} ${pause.to}`}
              bottleId={bottle_id}
              pause={pause}
              running={Date.parse(pause.from) <= present}
            />
          ))}
        </ul>
      )}
      {supports && <NewPause />}
    </Panel>
  );
}

function Row({
  bottleId,
  pause: { from, to },
  running,
}: {
  bottleId: string;
  pause: Pause;
  running: boolean;
}) {
  const supports = useMay('support');
  const end = useMutation({
    mutationFn: () => remove(`/v1/bottles/${bottleId}/pauses`, { from }),
    onSuccess: () => notify(running ? 'The pause has ended.' : 'The pause has been taken away.'),
    onError: (error) => notify(explain(error).join('. '), 'failed'),
    onSettled: () => queries.invalidateQueries({ queryKey: ['bottle', bottleId] }),
  });
  return (
    <li className={classes['pause']}>
      <span>
        {running && <strong>Now: </strong>}
        <Moment at={from} /> to <Moment at={to} />
      </span>
      {supports && (
        <Button variant="default" loading={end.isPending} onClick={() => end.mutate()}>
          {running ? 'End it now' : 'Take away'}
        </Button>
      )}
    </li>
  );
}

function NewPause() {
  const { bottle_id, time_zone } = useBottle();
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const add = useMutation({
    mutationFn: () =>
      post(`/v1/bottles/${bottle_id}/pauses`, {
        ...(from === '' ? {} : { from: instant(from, time_zone) }),
        to: instant(to, time_zone),
      }),
    onSuccess: () => {
      setFrom('');
      setTo('');
      notify('No dose is due in that time.');
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['bottle', bottle_id] }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <form onSubmit={submit} style={{ marginTop: 16 }} className={classes['form']} aria-label="New pause">
      <div className={classes['row']}>
        <TextInput
          w={280}
          type="datetime-local"
          label="Pause from"
          description={`In the time of ${time_zone}; empty: from now`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={from}
          error={fieldError(add.error, 'pause.from') ?? fieldError(add.error, 'from')}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          w={280}
          type="datetime-local"
          label="to"
          description={`In the time of ${time_zone}`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          required
          withAsterisk={false}
          value={to}
          error={fieldError(add.error, 'pause.to') ?? fieldError(add.error, 'to')}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
      </div>
      {add.error && (
        <p role="alert" className={classes['error']}>
          {explain(add.error).join('. ')}
        </p>
      )}
      <div>
        <Button type="submit" variant="default" loading={add.isPending}>
          Pause
        </Button>
      </div>
    </form>
  );
}

function instant(local: string, zone: string): string {
  const at = instantOf(local, zone);
  return Number.isNaN(at) ? local : new Date(at).toISOString();
}
