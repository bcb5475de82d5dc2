import { Button, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get, post } from '../../api/request.js';
import { useMay } from '../../api/session.js';
import type { AlertDetail, Incident } from '../../api/types.js';
import { useNow } from '../../time/clock.js';
import { Moment } from '../../time/Moment.js';
import { FormDialog } from '../../ui/Form.js';
import { notify, notifyError } from '../../ui/notify.js';
import { plural } from '../../ui/text.js';
import { addresseeText } from '../notifications/notifications.js';
import classes from './ActionDialog.module.css';

type Decision = 'confirm' | 'dismiss';

/** Messages are sent and bottles return without a change of the incident itself. */
const RELOAD_MS = 10_000;

/** What a fleet incident affects and what is held. */
export function useIncident(alertId: string) {
  return useQuery({
    queryKey: ['alert', alertId, 'incident'],
    queryFn: ({ signal }) => get<Incident>(`/v1/alerts/${alertId}/incident`, { signal }),
    refetchInterval: RELOAD_MS,
  });
}

/** Staff decide whether people are notified of a fleet incident, and withdraw the decision. */
export function IncidentDecision({ alert }: { alert: Pick<AlertDetail, 'id' | 'decision' | 'ended_at'> }) {
  const supports = useMay('support');
  const [open, setOpen] = useState<Decision>();
  const { data } = useIncident(alert.id);
  if (alert.ended_at !== null) return null;
  if (alert.decision) return <Decided alert={alert} incident={data} />;
  if (!supports || !data) return null;
  return (
    <>
      <Button onClick={() => setOpen('confirm')}>Notify {people(data)}…</Button>
      <Button variant="default" onClick={() => setOpen('dismiss')}>
        Our fault, notify nobody…
      </Button>
      {open && (
        <DecisionDialog
          alertId={alert.id}
          decision={open}
          incident={data}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

const people = ({ held_people }: Incident): string =>
  held_people === 1 ? '1 person' : `${held_people.toLocaleString('en')} people`;

interface DecisionDialogProps {
  alertId: string;
  decision: Decision;
  incident: Incident;
  onClose: () => void;
}

function DecisionDialog({ alertId, decision, incident, onClose }: DecisionDialogProps) {
  const [note, setNote] = useState('');
  const notifies = decision === 'confirm';
  const decide = useMutation({
    mutationFn: () => post(`/v1/alerts/${alertId}/${decision}`, note.trim() ? { note: note.trim() } : {}),
    onSuccess: () => {
      notify(notifies ? 'Messages leave in a minute.' : 'Nobody is notified.');
      onClose();
    },
    onError: notifyError,
  });
  const title = notifies ? `Notify ${people(incident)}` : 'Our fault, notify nobody';
  return (
    <FormDialog
      title={title}
      action={title}
      danger={notifies}
      saving={{ isPending: decide.isPending, mutate: () => decide.mutate() }}
      onClose={onClose}
    >
      <p>
        {notifies
          ? `${plural(incident.held_messages, 'message')} about ${plural(incident.bottles, 'bottle')} leave in one minute. Until then you can undo this.`
          : `${plural(incident.held_messages, 'message')} about ${plural(incident.bottles, 'bottle')} are held until the incident ends, and never sent. Until then you can undo this.`}
      </p>
      <Textarea
        label="Note"
        description="Optional; only staff read it"
        autosize={false}
        rows={2}
        maxLength={1000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        data-autofocus
      />
      {incident.previews.length > 0 && (
        <section aria-label="Preview">
          <p>{notifies ? 'What people read:' : 'What people do not read:'}</p>
          <ul className={classes['messages']}>
            {incident.previews.map((message) => (
              <li key={`${message.alert_id} ${message.recipient} ${message.channel}`}>
                <p>To {addresseeText(message)}</p>
                <pre>{message.text}</pre>
              </li>
            ))}
          </ul>
        </section>
      )}
    </FormDialog>
  );
}

interface DecidedProps {
  alert: Pick<AlertDetail, 'id' | 'decision'>;
  incident: Incident | undefined;
}

function Decided({ alert: { id, decision }, incident }: DecidedProps) {
  const present = useNow();
  const supports = useMay('support');
  const withdraw = useMutation({
    mutationFn: () => post(`/v1/alerts/${id}/withdraw`),
    onSuccess: () => notify('Decision withdrawn: messages that were not sent are held again.'),
    onError: notifyError,
  });
  const { outcome, by, takes_effect_at } = decision!;
  const leaves = outcome === 'confirmed' && Date.parse(takes_effect_at) > present;
  const canUndo = leaves || outcome === 'dismissed' || (incident?.held_messages ?? 0) > 0;
  return (
    <>
      <p>
        {outcome === 'dismissed' && `Dismissed by ${by}: nobody is notified.`}
        {outcome === 'confirmed' && `Confirmed by ${by}: people are notified`}
        {leaves && (
          <>
            {' '}
            from <Moment at={takes_effect_at} as="time" /> on
          </>
        )}
        {outcome === 'confirmed' && '.'}
      </p>
      {supports && canUndo && (
        <Button variant="default" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
          Undo
        </Button>
      )}
    </>
  );
}
