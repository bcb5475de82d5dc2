import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Trans } from 'react-i18next';
import { remove } from '../../../api/request.js';
import { FormDialog, useForm } from '../../../ui/Form.js';
import { Panel } from '../../../ui/Panel.js';
import { personPath } from '../../person/queries.js';
import classes from './ManageTab.module.css';
import { t } from '../../../i18n/i18n.js';

export function ErasePerson({ userId }: { userId: string }) {
  return (
    <Erase
      what="person"
      text={t(
        'Permanently erases all bottles of this person, their part of bottles that are somebody else’s now, their contact, and notes about them.',
      )}
      named={userId}
      label={t('User ID')}
      id={userId}
      path={personPath(userId)}
    />
  );
}

const TITLES = {
  bottle: { title: t('Erase bottle'), question: t('Erase this bottle permanently?') },
  person: { title: t('Erase person'), question: t('Erase this person permanently?') },
};

interface EraseProps {
  what: keyof typeof TITLES;
  text: string;
  /** How the dialog names it. */
  named: string;
  label: string;
  /** To be typed for confirmation. */
  id: string;
  path: string;
}

/** Erases something after its id was typed. The page then shows the receipt. */
export function Erase({ what, text: explanation, named, label, id, path }: EraseProps) {
  const { title, question } = TITLES[what];
  const [confirming, setConfirming] = useState(false);
  const {
    values: { typed },
    saving: erase,
    text,
  } = useForm({ initial: { typed: '' }, save: () => remove<unknown>(path) });
  return (
    <Panel title={title}>
      <p className={classes['text']}>{explanation}</p>
      <Button color="red" variant="light" onClick={() => setConfirming(true)}>
        {title}
      </Button>
      {confirming && (
        <FormDialog
          title={question}
          action={t('Erase permanently')}
          danger
          disabled={typed.trim().toLowerCase() !== id.toLowerCase()}
          saving={erase}
          onClose={() => setConfirming(false)}
        >
          <p>
            <Trans
              i18nKey="{{named}}. To confirm, enter the {{label}}: <code>{{id}}</code>"
              values={{ named, label, id }}
              components={{ code: <code /> }}
            />
          </p>
          <TextInput label={label} autoComplete="off" spellCheck={false} {...text('typed')} data-autofocus />
        </FormDialog>
      )}
    </Panel>
  );
}
