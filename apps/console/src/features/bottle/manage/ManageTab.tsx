import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ifMatch, post, requestVersioned } from '../../../api/request.js';
import { useMay } from '../../../api/session.js';
import type { Bottle } from '../../../api/schema.js';
import { ZoneSelect } from '../../../time/ZoneSelect.js';
import { Form, FormError, useForm } from '../../../ui/Form.js';
import { Download } from '../../../ui/Download.js';
import { notify } from '../../../ui/notify.js';
import { Panel } from '../../../ui/Panel.js';
import { Empty } from '../../../ui/States.js';
import { TokenOnce } from '../../../ui/TokenOnce.js';
import { Unsaved } from '../../../ui/Unsaved.js';
import { personPath } from '../../person/queries.js';
import { useBottle } from '../queries.js';
import { Erase, ErasePerson } from './Erase.js';
import { LifePanel } from './LifePanel.js';
import classes from './ManageTab.module.css';
import { type DoseTimes, MovedDoses } from './MovedDoses.js';
import { PlanPanel } from './PlanPanel.js';
import { t } from '../../../i18n/i18n.js';

/** Changes, exports and erases the bottle, and replaces its token. */
export function ManageTab() {
  const isSupport = useMay('support');
  const isAdmin = useMay('admin');
  const { user_id } = useBottle();
  if (!isSupport) {
    return (
      <Empty title={t('You don’t have access to this page')}>
        {t('Managing a bottle requires the support or admin role.')}
      </Empty>
    );
  }
  return (
    <div className={classes['page']}>
      <DetailsForm />
      <PlanPanel />
      <LifePanel />
      <DeviceToken />
      <Export />
      {isAdmin && <EraseBottle />}
      {isAdmin && <ErasePerson userId={user_id} />}
    </div>
  );
}

function DetailsForm() {
  const bottle = useBottle();
  // as it was when the form was opened or last saved: what somebody else changes meanwhile stays
  const [seen, setSeen] = useState(bottle);
  const { bottle_id, user_id, medication, label, time_zone, version } = seen;
  const stored = { user_id, medication, label: label ?? '', time_zone };
  const [doseTimes, setDoseTimes] = useState<DoseTimes>('from_next_dose');
  const changesOf = (values: typeof stored): [field: string, value: string][] =>
    Object.entries(values).filter(([field, value]) => stored[field as keyof typeof stored] !== value);
  const {
    values,
    saving: save,
    text,
  } = useForm({
    initial: stored,
    save: (entered) =>
      requestVersioned<Bottle>('PATCH', `/v1/bottles/${bottle_id}`, {
        body: {
          ...Object.fromEntries(changesOf(entered)),
          ...(entered.time_zone !== time_zone && { dose_times: doseTimes }),
        },
        headers: ifMatch(version),
      }),
    onSaved: (saved) => {
      setSeen(saved);
      notify(t('Bottle updated.'));
    },
  });
  const isChanged = changesOf(values).length > 0;
  return (
    <Panel title={t('Details')}>
      <Form onSubmit={() => save.mutate()}>
        <TextInput label={t('User ID')} required maxLength={200} {...text('user_id')} />
        <TextInput label={t('Medication')} required maxLength={200} {...text('medication')} />
        <TextInput
          label={t('Label')}
          description={t('Optional, such as “blue, kitchen”: messages name the bottle by it')}
          maxLength={60}
          {...text('label')}
        />
        <ZoneSelect
          label={t('Patient’s time zone')}
          description={t('Schedules with a time zone of their own stay as they are.')}
          {...text('time_zone')}
        />
        {values.time_zone !== time_zone && bottle.schedule && (
          <MovedDoses
            bottleId={bottle_id}
            from={time_zone}
            to={values.time_zone}
            doseTimes={doseTimes}
            onChange={setDoseTimes}
          />
        )}
        {isChanged && <Unsaved text={t('The changes of the bottle are not saved.')} />}
        <FormError error={save.error} />
        <div>
          <Button type="submit" disabled={!isChanged} loading={save.isPending}>
            {t('Save changes')}
          </Button>
        </div>
      </Form>
    </Panel>
  );
}

function DeviceToken() {
  const { bottle_id } = useBottle();
  const [confirming, setConfirming] = useState(false);
  const replace = useMutation({
    mutationFn: () => post<{ token: string }>(`/v1/bottles/${bottle_id}/token`),
    onSettled: () => setConfirming(false),
  });
  return (
    <Panel title={t('Device token')}>
      {replace.data ? (
        <TokenOnce token={replace.data.token} name={t('New device token')} />
      ) : (
        <>
          <p className={classes['text']}>
            {t(
              'The device sends this token with every report. Replacing it takes effect at once: the bottle cannot report until the device has the new token.',
            )}
          </p>
          <FormError error={replace.error} />
          {confirming ? (
            <>
              <Button color="red" loading={replace.isPending} onClick={() => replace.mutate()}>
                {t('Replace the token')}
              </Button>{' '}
              <Button variant="default" onClick={() => setConfirming(false)}>
                {t('Cancel')}
              </Button>
            </>
          ) : (
            <Button variant="default" onClick={() => setConfirming(true)}>
              {t('New token')}
            </Button>
          )}
        </>
      )}
    </Panel>
  );
}

function Export() {
  const { bottle_id, user_id } = useBottle();
  return (
    <Panel title={t('Export')}>
      <p className={classes['text']}>{t('All data stored about this bottle, in one JSON file.')}</p>
      <Download href={`/v1/bottles/${bottle_id}/export`} name={`bottle-${bottle_id}.json`}>
        {t('Download')}
      </Download>{' '}
      <Download href={`${personPath(user_id)}/export`} name="person.json">
        {t('Everything about this person')}
      </Download>
    </Panel>
  );
}

function EraseBottle() {
  const { bottle_id, medication, user_id } = useBottle();
  return (
    <Erase
      what="bottle"
      text={t(
        'Permanently erases the bottle with its history, doses, alerts and notifications. Its device can no longer report.',
      )}
      named={t('{{medication}} for {{user}}', { medication, user: user_id })}
      label={t('Bottle ID')}
      id={bottle_id}
      path={`/v1/bottles/${bottle_id}`}
    />
  );
}
