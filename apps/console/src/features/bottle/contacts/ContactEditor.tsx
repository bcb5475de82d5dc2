import { Button, Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldError } from '../../../api/problem.js';
import { put, remove } from '../../../api/request.js';
import type { Contact, EscalationStep, Reach } from '../../../api/types/contact.js';
import { queries } from '../../../app/services.js';
import { notify } from '../../../ui/notify.js';
import { Panel } from '../../../ui/Panel.js';
import { explain } from '../../../ui/States.js';
import classes from './Contacts.module.css';
import { DEFAULT_STEPS } from './ContactView.js';
import { ReachFields } from './ReachFields.js';
import { StepFields } from './StepFields.js';

interface ContactEditorProps {
  userId: string;
  path: string;
  contact: Contact | null;
  bottleZone: string;
  onClose: () => void;
}

/** Writes the whole contact: what is left out is no longer so. */
export function ContactEditor({ userId, path, contact, bottleZone, onClose }: ContactEditorProps) {
  const [user, setUser] = useState<Reach>(() => reachOf(contact ?? { time_zone: bottleZone }));
  const [carer, setCarer] = useState<Reach | undefined>(contact?.carer);
  const [steps, setSteps] = useState<EscalationStep[]>(contact?.escalation ?? DEFAULT_STEPS);
  const done = async (text: string): Promise<void> => {
    await queries.invalidateQueries({ queryKey: ['contact', userId] });
    notify(text);
    onClose();
  };
  const save = useMutation({
    mutationFn: () => put(path, { ...user, ...(carer ? { carer } : {}), escalation: steps }),
    onSuccess: () => done('The contact has been saved.'),
  });
  const forget = useMutation({
    mutationFn: () => remove(path),
    onSuccess: () => done('The contact has been forgotten. Alerts go to the operator.'),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  const refused = save.error ?? forget.error;
  return (
    <form onSubmit={submit} className={classes['form']}>
      <Panel title={`User ${userId}`}>
        <ReachFields reach={user} onChange={setUser} wrong={(field) => fieldError(save.error, field)} />
      </Panel>
      <Panel title="Carer">
        <div className={classes['group']}>
          <Switch
            label="Somebody looks after them"
            checked={carer !== undefined}
            onChange={(event) =>
              setCarer(event.currentTarget.checked ? { time_zone: bottleZone } : undefined)
            }
          />
          {carer && (
            <ReachFields
              reach={carer}
              onChange={setCarer}
              wrong={(field) => fieldError(save.error, `carer.${field}`)}
            />
          )}
        </div>
      </Panel>
      <Panel title="Who is told when">
        <StepFields steps={steps} onChange={setSteps} wrong={(field) => fieldError(save.error, field)} />
      </Panel>
      {refused && (
        <p role="alert" className={classes['error']}>
          {explain(refused).join('. ')}
        </p>
      )}
      <div className={classes['row']}>
        <Button type="submit" loading={save.isPending}>
          Save the contact
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        {contact && (
          <Button variant="subtle" color="red" loading={forget.isPending} onClick={() => forget.mutate()}>
            Forget this contact
          </Button>
        )}
      </div>
    </form>
  );
}

function reachOf({ webhook, email, time_zone, quiet_hours }: Reach): Reach {
  return {
    ...(webhook === undefined ? {} : { webhook }),
    ...(email === undefined ? {} : { email }),
    ...(time_zone === undefined ? {} : { time_zone }),
    ...(quiet_hours === undefined ? {} : { quiet_hours }),
  };
}
