import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isStatus } from '../../../api/problem.js';
import { get } from '../../../api/request.js';
import { useMay } from '../../../api/session.js';
import type { Contact } from '../../../api/types/contact.js';
import { Failed, Loading } from '../../../ui/States.js';
import { useBottle } from '../queries.js';
import { ContactEditor } from './ContactEditor.js';
import { ContactView } from './ContactView.js';

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
