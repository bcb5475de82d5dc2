import { alertKind } from '../../../alert-kinds/alert-kinds.js';
import { ADDRESS_FIELDS } from '../../../channels.js';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { isStatus } from '../../../api/http.js';
import { get } from '../../../api/request.js';
import { useMay } from '../../../api/session.js';
import type { Contact, EscalationStep, ContactChannels } from '../../../api/types.js';
import { Facts } from '../../../ui/Facts.js';

import { Panel } from '../../../ui/Panel.js';
import { Empty, Failed, Loading } from '../../../ui/States.js';
import { useBottle } from '../queries.js';
import { joinList, durationText } from '../schedule/schedule-text.js';
import { ContactEditor } from './ContactEditor.js';
import classes from './Contacts.module.css';

/** Where and when the user, and who looks after them, may be told. */
export function ContactsTab() {
  const { user_id, time_zone } = useBottle();
  const supports = useMay('support');
  const [editing, setEditing] = useState(false);
  const path = `/v1/contacts/${encodeURIComponent(user_id)}`;
  const { data, error, refetch } = useQuery({
    queryKey: ['contact', user_id],
    queryFn: ({ signal }) => readContact(path, signal),
  });
  if (data === undefined) return error ? <Failed error={error} retry={() => void refetch()} /> : <Loading />;
  if (editing) {
    return (
      <ContactEditor
        userId={user_id}
        path={path}
        contact={data}
        bottleZone={time_zone}
        onClose={() => setEditing(false)}
      />
    );
  }
  return (
    <ContactView
      userId={user_id}
      contact={data}
      edit={
        supports && (
          <Button variant="default" onClick={() => setEditing(true)}>
            {data ? 'Change' : 'Add a contact'}
          </Button>
        )
      }
    />
  );
}

/** @returns null when there is none. */
async function readContact(path: string, signal: AbortSignal): Promise<Contact | null> {
  try {
    return await get<Contact>(path, { signal });
  } catch (error) {
    if (isStatus(error, 404)) return null;
    throw error;
  }
}

/** What holds for whoever has set nothing else. */
export const DEFAULT_STEPS: EscalationStep[] = [{ after: '0m', to: 'user' }];

interface ContactViewProps {
  userId: string;
  contact: Contact | null;
  /** What leads to the editor, for who may. */
  edit: ReactNode;
}

/** Who is told, how, when, and in which order. */
export function ContactView({ userId, contact, edit }: ContactViewProps) {
  if (!contact) {
    return (
      <Panel title={`Contact of ${userId}`} aside={edit}>
        <Empty title="There is none">Alerts go to the operator, who knows the user.</Empty>
      </Panel>
    );
  }
  return (
    <div className={classes['page']}>
      <Panel title={`User ${userId}`} aside={edit}>
        <ChannelFacts contact={contact} />
      </Panel>
      <Panel title="Carer">
        {contact.carer ? (
          <ChannelFacts contact={contact.carer} />
        ) : (
          <p>None: what is meant for a carer goes to the user.</p>
        )}
      </Panel>
      <Panel title="Who is told when">
        <ol className={classes['steps']}>
          {(contact.escalation ?? DEFAULT_STEPS).map((step, index) => (
            <li key={`${step.after} ${step.to} ${index}`}>{stepWords(step)}</li>
          ))}
        </ol>
        <p className={classes['quiet']}>It ends when somebody acknowledges the alert, or when it is over.</p>
      </Panel>
    </div>
  );
}

function ChannelFacts({ contact }: { contact: ContactChannels }) {
  const { time_zone, quiet_hours } = contact;
  return (
    <Facts
      rows={[
        ...ADDRESS_FIELDS.map(({ key, title, input }): [string, string] => [
          title,
          input === 'switch' ? (contact[key] ? 'yes' : 'no') : String(contact[key] ?? 'none'),
        ]),
        ['Time zone', time_zone ?? 'the bottle’s'],
        [
          'Quiet hours',
          quiet_hours
            ? `${quiet_hours.from} to ${quiet_hours.to}: messages wait until they are over`
            : 'none',
        ],
      ]}
    />
  );
}

function stepWords({ after, to, repeat, kinds }: EscalationStep): string {
  const when = after.startsWith('0') ? 'At once' : `After ${durationText(after)}`;
  const again = repeat === undefined ? '' : `, then every ${durationText(repeat)}`;
  const only =
    kinds === undefined ? '' : `, for ${joinList(kinds.map((kind) => `“${alertKind(kind).word}”`))}`;
  return `${when}: the ${to}${again}${only}`;
}
