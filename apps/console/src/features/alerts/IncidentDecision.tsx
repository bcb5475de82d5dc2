import { Button, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Trans } from 'react-i18next';
import { get, post } from '../../api/request.js';
import { useMay } from '../../api/session.js';
import type { AlertDetail, Incident } from '../../api/schema.js';
import { useNow } from '../../time/clock.js';
import { Moment } from '../../time/Moment.js';
import { FormDialog } from '../../ui/Form.js';
import { notify, notifyError } from '../../ui/notify.js';
import { addresseeText } from '../notifications/notifications.js';
import classes from './ActionDialog.module.css';
import { t } from '../../i18n/i18n.js';

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
      <Button onClick={() => setOpen('confirm')}>
        {t('Notify {{people}}…', { people: peopleOf(data) })}
      </Button>
      <Button variant="default" onClick={() => setOpen('dismiss')}>
        {t('Our fault, notify nobody…')}
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

/** `3 bottles`, or `at least 3 bottles` of an incident of which not all were counted. */
export const atLeast = ({ truncated }: Incident, amount: string): string =>
  truncated ? t('at least {{amount}}', { amount }) : amount;

export const bottlesOf = (incident: Incident): string =>
  atLeast(incident, t('{{count, number}} bottles', { count: incident.bottles }));

export const messagesOf = (incident: Incident, count: number): string =>
  atLeast(incident, t('{{count, number}} messages', { count }));

export const peopleOf = (incident: Incident): string =>
  atLeast(incident, t('{{count, number}} people', { count: incident.held_people }));

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
      notify(notifies ? t('Messages leave in a minute.') : t('Nobody is notified.'));
      onClose();
    },
    onError: notifyError,
  });
  const held = { messages: messagesOf(incident, incident.held_messages), bottles: bottlesOf(incident) };
  const title = notifies
    ? t('Notify {{people}}', { people: peopleOf(incident) })
    : t('Our fault, notify nobody');
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
          ? t('{{messages}} about {{bottles}} leave in one minute. Until then you can undo this.', held)
          : t(
              '{{messages}} about {{bottles}} are held until the incident ends, and never sent. Until then you can undo this.',
              held,
            )}
      </p>
      <Textarea
        label={t('Note')}
        description={t('Optional; only staff read it')}
        autosize={false}
        rows={2}
        maxLength={1000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        data-autofocus
      />
      {incident.previews.length > 0 && (
        <section aria-label={t('Preview')}>
          <p>{previewTitle(incident, notifies)}</p>
          <ul className={classes['messages']}>
            {incident.previews.map((message) => (
              <li key={`${message.alert_id} ${message.recipient} ${message.channel}`}>
                <p>
                  {t('To {{addressee}}', { addressee: addresseeText(message) })}
                  {message.address && ` (${message.address})`}
                </p>
                <pre>{message.text}</pre>
              </li>
            ))}
          </ul>
        </section>
      )}
    </FormDialog>
  );
}

/** What the previews are: of how many messages, if not all are shown. */
function previewTitle(incident: Incident, notifies: boolean): string {
  const shown = incident.previews.length;
  if (shown >= incident.held_messages)
    return notifies ? t('What people read:') : t('What people do not read:');
  const values = { shown, messages: messagesOf(incident, incident.held_messages) };
  return notifies
    ? t('Messages that are sent, the first {{shown}} of {{messages}}:', values)
    : t('Messages that are not sent, the first {{shown}} of {{messages}}:', values);
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
    onSuccess: () => notify(t('Decision withdrawn: messages that were not sent are held again.')),
    onError: notifyError,
  });
  const { outcome, by, takes_effect_at } = decision!;
  const leaves = outcome === 'confirmed' && Date.parse(takes_effect_at) > present;
  const canUndo = leaves || outcome === 'dismissed' || (incident?.held_messages ?? 0) > 0;
  return (
    <>
      <p>
        {outcome === 'dismissed' && t('Dismissed by {{by}}: nobody is notified.', { by })}
        {outcome === 'confirmed' && !leaves && t('Confirmed by {{by}}: people are notified.', { by })}
        {leaves && (
          <Trans
            i18nKey="Confirmed by {{by}}: people are notified from <at/> on."
            values={{ by }}
            components={{ at: <Moment at={takes_effect_at} as="time" /> }}
          />
        )}
      </p>
      {supports && canUndo && (
        <Button variant="default" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
          {t('Undo')}
        </Button>
      )}
    </>
  );
}
