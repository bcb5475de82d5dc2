import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { alertKind } from '../../../alert-kinds/alert-kinds.js';
import { isStatus } from '../../../api/http.js';
import { get } from '../../../api/request.js';
import { useMay } from '../../../api/session.js';
import type { Contact, ContactDetails, EscalationStep } from '../../../api/types.js';
import { ADDRESS_FIELDS } from '../../../channels.js';
import { Facts } from '../../../ui/Facts.js';
import { Panel } from '../../../ui/Panel.js';
import { Empty, Pending } from '../../../ui/States.js';
import { joinList } from '../../../ui/text.js';
import { useBottle } from '../queries.js';
import { durationText } from '../schedule/schedule-text.js';
import { ContactEditor, DEFAULT_STEPS } from './ContactEditor.js';
import classes from './Contacts.module.css';

/** How the bottle's user and their carer are notified. */
export function ContactsTab() {
  const { user_id, time_zone } = useBottle();
  const isSupport = useMay('support');
  const [editing, setEditing] = useState(false);
  const path = `/v1/contacts/${encodeURIComponent(user_id)}`;
  const query = useQuery({
    queryKey: ['contact', user_id],
    queryFn: ({ signal }) => readContact(path, signal),
  });
  const contact = query.data;
  if (contact === undefined) return <Pending query={query} />;
  if (editing) {
    return (
      <ContactEditor
        userId={user_id}
        path={path}
        contact={contact}
        bottleZone={time_zone}
        onClose={() => setEditing(false)}
      />
    );
  }
  const edit = isSupport && (
    <Button variant="default" onClick={() => setEditing(true)}>
      {contact ? 'Edit' : 'Add contact'}
    </Button>
  );
  if (contact) return <ContactView userId={user_id} contact={contact} edit={edit} />;
  return (
    <Panel title={`User ${user_id}`} aside={edit}>
      <Empty title="No contact">Alerts go to the operator.</Empty>
    </Panel>
  );
}

/** @returns null if there is none. */
async function readContact(path: string, signal: AbortSignal): Promise<Contact | null> {
  try {
    return await get<Contact>(path, { signal });
  } catch (error) {
    if (isStatus(error, 404)) return null;
    throw error;
  }
}

interface ContactViewProps {
  userId: string;
  contact: Contact;
  edit: ReactNode;
}

function ContactView({ userId, contact, edit }: ContactViewProps) {
  return (
    <div className={classes['page']}>
      <Panel title={`User ${userId}`} aside={edit}>
        <ChannelFacts contact={contact} />
      </Panel>
      <Panel title="Carer">
        {contact.carer ? (
          <ChannelFacts contact={contact.carer} />
        ) : (
          <p>None. Notifications for a carer go to the user.</p>
        )}
      </Panel>
      <Panel title="Escalation">
        <ol className={classes['steps']}>
          {(contact.escalation ?? DEFAULT_STEPS).map((step, index) => (
            <li key={`${step.after} ${step.to} ${index}`}>{stepText(step)}</li>
          ))}
        </ol>
        <p className={classes['quiet']}>Escalation stops when someone acknowledges the alert or it ends.</p>
      </Panel>
    </div>
  );
}

function ChannelFacts({ contact }: { contact: ContactDetails }) {
  const { time_zone, quiet_hours } = contact;
  return (
    <Facts
      rows={[
        ...ADDRESS_FIELDS.map(
          ({ key, title, input }) =>
            [title, input === 'switch' ? (contact[key] ? 'Yes' : 'No') : (contact[key] ?? 'None')] as const,
        ),
        ['Time zone', time_zone ?? 'Same as the bottle'],
        [
          'Quiet hours',
          quiet_hours
            ? `${quiet_hours.from} to ${quiet_hours.to}; non-critical notifications wait until they end`
            : 'None',
        ],
      ]}
    />
  );
}

function stepText({ after, to, repeat, kinds }: EscalationStep): string {
  const when = after.startsWith('0') ? 'Immediately' : `After ${durationText(after)}`;
  const again = repeat === undefined ? '' : `, then every ${durationText(repeat)}`;
  const only =
    kinds === undefined ? '' : `, for ${joinList(kinds.map((kind) => `“${alertKind(kind).label}”`))}`;
  return `${when}: the ${to}${again}${only}`;
}
