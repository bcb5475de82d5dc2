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
import { AssignDialog } from './AssignDialog.js';
import classes from './ManageTab.module.css';

/** How it leaves use. */
type Leaving = 'store' | 'retire';
type Verb = Leaving | 'assign';

const ACTIONS: Record<Verb, string> = { store: t('Store'), retire: t('Retire'), assign: t('Assign') };

const TEXTS: Record<Leaving, { question: string; text: string; done: string }> = {
  store: {
    question: t('Store this bottle?'),
    text: t(
      'It is nobody’s, and in a cupboard: its plan ends, its alerts are closed, and it alarms nobody. Its reports are still taken.',
    ),
    done: t('Bottle stored.'),
  },
  retire: {
    question: t('Retire this bottle?'),
    text: t(
      'Its plan ends, its alerts are closed, it alarms nobody, and its token stops within a minute. Its data stays.',
    ),
    done: t('Bottle retired.'),
  },
};

/** Whether somebody uses the bottle; stores, retires and assigns it. */
export function LifePanel() {
  const { life } = useBottle();
  const [verb, setVerb] = useState<Verb>();
  const close = (): void => setVerb(undefined);
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
          {ACTIONS[each]}
        </Button>
      ))}
      {verb === 'assign' && <AssignDialog onClose={close} />}
      {verb && verb !== 'assign' && <LeaveUseDialog verb={verb} onClose={close} />}
    </Panel>
  );
}

function LeaveUseDialog({ verb, onClose }: { verb: Leaving; onClose: () => void }) {
  const bottle = useBottle();
  // as it was when the dialog was opened
  const [{ bottle_id, version }] = useState(bottle);
  const { question, text: explanation, done } = TEXTS[verb];
  const { values, saving, text } = useForm({
    initial: { reason: '', note: '' },
    save: ({ reason, note }) =>
      requestVersioned<Bottle>('POST', `/v1/bottles/${bottle_id}/${verb}`, {
        body: {
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
      action={ACTIONS[verb]}
      danger={verb === 'retire'}
      disabled={verb === 'retire' && values.reason === ''}
      saving={saving}
      onClose={onClose}
    >
      <p>{explanation}</p>
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
