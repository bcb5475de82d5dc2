import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { requestVersioned, ifMatch } from '../../../api/request.js';
import type { Bottle } from '../../../api/schema.js';
import { t } from '../../../i18n/i18n.js';
import { FormDialog, useForm } from '../../../ui/Form.js';
import { notify } from '../../../ui/notify.js';
import { Panel } from '../../../ui/Panel.js';
import { LifeLine } from '../LifeLine.js';
import { RETIRE_REASONS } from '../life-text.js';
import { useBottle } from '../queries.js';
import classes from './ManageTab.module.css';

type Verb = 'store' | 'retire' | 'assign';

const TEXTS: Record<Verb, { action: string; question: string; text: string; done: string }> = {
  store: {
    action: t('Store'),
    question: t('Store this bottle?'),
    text: t(
      'It is nobody’s, and in a cupboard: its plan ends, its alerts are closed, and it alarms nobody. Its reports are still taken.',
    ),
    done: t('Bottle stored.'),
  },
  retire: {
    action: t('Retire'),
    question: t('Retire this bottle?'),
    text: t(
      'Its plan ends, its alerts are closed, it alarms nobody, and its token stops within a minute. Its data stays.',
    ),
    done: t('Bottle retired.'),
  },
  assign: {
    action: t('Assign'),
    question: t('Assign this bottle?'),
    text: t(
      'It is in use again. It has no schedule until you set one; the one of before does not come back.',
    ),
    done: t('Bottle assigned.'),
  },
};

/** Whether somebody uses the bottle; stores, retires and assigns it. */
export function LifePanel() {
  const { life } = useBottle();
  const [verb, setVerb] = useState<Verb>();
  const isInUse = life === null || life.state === 'in_use';
  const verbs: Verb[] = [
    ...(isInUse ? [] : (['assign'] as const)),
    ...(life?.state === 'stored' ? [] : (['store'] as const)),
    'retire',
  ];
  return (
    <Panel title={t('In use, stored or retired')}>
      <p className={classes['text']}>
        <LifeLine />
      </p>
      {verbs.map((each) => (
        <Button key={each} variant="default" mr="xs" onClick={() => setVerb(each)}>
          {TEXTS[each].action}
        </Button>
      ))}
      {verb && <LifeDialog verb={verb} onClose={() => setVerb(undefined)} />}
    </Panel>
  );
}

function LifeDialog({ verb, onClose }: { verb: Verb; onClose: () => void }) {
  const bottle = useBottle();
  // as it was when the dialog was opened
  const [{ bottle_id, version }] = useState(bottle);
  const { action, question, text: explanation, done } = TEXTS[verb];
  const { values, saving, text } = useForm({
    initial: { user_id: bottle.user_id, reason: '', note: '' },
    save: ({ user_id, reason, note }) =>
      requestVersioned<Bottle>('POST', `/v1/bottles/${bottle_id}/${verb}`, {
        body: {
          ...(verb === 'assign' && { user_id }),
          ...(verb === 'retire' && { reason }),
          ...(note.trim() !== '' && { note }),
        },
        headers: ifMatch(version),
      }),
    onSaved: () => {
      notify(done);
      onClose();
    },
  });
  return (
    <FormDialog
      title={question}
      action={action}
      danger={verb === 'retire'}
      disabled={verb === 'retire' && values.reason === ''}
      saving={saving}
      onClose={onClose}
    >
      <p>{explanation}</p>
      {verb === 'assign' && (
        <TextInput label={t('User ID')} required maxLength={200} {...text('user_id')} data-autofocus />
      )}
      {verb === 'retire' && (
        <Select
          label={t('Reason')}
          required
          data={Object.entries(RETIRE_REASONS).map(([value, label]) => ({ value, label }))}
          {...text('reason')}
        />
      )}
      <TextInput
        label={t('Note')}
        description={t('Optional; staff read it.')}
        maxLength={500}
        {...text('note')}
      />
    </FormDialog>
  );
}
