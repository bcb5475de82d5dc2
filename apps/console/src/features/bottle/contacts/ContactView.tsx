import type { ReactNode } from 'react';
import type { Contact, EscalationStep, Reach } from '../../../api/types/contact.js';
import { Facts } from '../../../ui/Facts.js';
import { KIND, meaningOf } from '../../../ui/Mark.js';
import { Panel } from '../../../ui/Panel.js';
import { Empty } from '../../../ui/States.js';
import { listed, spanWords } from '../schedule/words.js';
import classes from './Contacts.module.css';

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
        <ReachFacts reach={contact} />
      </Panel>
      <Panel title="Carer">
        {contact.carer ? (
          <ReachFacts reach={contact.carer} />
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

function ReachFacts({ reach: { webhook, email, time_zone, quiet_hours } }: { reach: Reach }) {
  return (
    <Facts
      rows={[
        ['Webhook', webhook ? 'yes, the operator passes it on' : 'no'],
        ['E-mail', email ?? 'none'],
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
  const when = after.startsWith('0') ? 'At once' : `After ${spanWords(after)}`;
  const again = repeat === undefined ? '' : `, then every ${spanWords(repeat)}`;
  const only =
    kinds === undefined ? '' : `, for ${listed(kinds.map((kind) => `“${meaningOf(KIND, kind).word}”`))}`;
  return `${when}: the ${to}${again}${only}`;
}
