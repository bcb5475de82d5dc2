import { Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get, ifMatch, requestVersioned } from '../../../api/request.js';
import type { Bottle, Person } from '../../../api/schema.js';
import { t } from '../../../i18n/i18n.js';
import { Form, FormError, useForm } from '../../../ui/Form.js';
import { notify } from '../../../ui/notify.js';
import { Panel } from '../../../ui/Panel.js';
import { personPath } from '../../person/queries.js';
import { PlanLine } from '../PlanLine.js';
import { useBottle } from '../queries.js';
import classes from './ManageTab.module.css';

/** For which bottle's plan it is: its own, or that of another one of the person and medication. */
export function PlanPanel() {
  const bottle = useBottle();
  // as it was when the form was opened or last saved
  const [{ bottle_id, user_id, medication, plan_of, version }, setSeen] = useState(bottle);
  const { data: person } = useQuery({
    queryKey: ['person', user_id],
    queryFn: ({ signal }) => get<Person>(personPath(user_id), { signal }),
  });
  const others = (person?.bottles ?? []).filter(
    (one) => one.bottle_id !== bottle_id && one.medication === medication,
  );
  const { values, saving, text } = useForm({
    initial: { plan_of: plan_of ?? '' },
    save: (entered) =>
      requestVersioned<Bottle>('PATCH', `/v1/bottles/${bottle_id}`, {
        body: { plan_of: entered.plan_of === '' ? null : entered.plan_of },
        headers: ifMatch(version),
      }),
    onSaved: (saved) => {
      setSeen(saved);
      notify(t('Bottle updated.'));
    },
  });
  // nothing to choose from
  if (plan_of === null && others.length === 0) return null;
  return (
    <Panel title={t('Two bottles of one plan')}>
      <p className={classes['text']}>
        {t(
          'Pills removed from either bottle count for one dose, and their supply adds up. While one of them does not report, a dose cannot be known to be missed. Its own schedule ends when a bottle joins another one’s plan.',
        )}
      </p>
      <PlanLine bottle={bottle} />
      <Form onSubmit={() => saving.mutate()}>
        <Select
          label={t('Plan')}
          data={[
            { value: '', label: t('A plan of its own, or none') },
            ...(plan_of && !others.some((one) => one.bottle_id === plan_of)
              ? [{ value: plan_of, label: plan_of }]
              : []),
            ...others.map((one) => ({
              value: one.bottle_id,
              label: t('That of {{id}}', { id: one.bottle_id }),
            })),
          ]}
          allowDeselect={false}
          {...text('plan_of')}
        />
        <FormError error={saving.error} />
        <div>
          <Button type="submit" disabled={values.plan_of === (plan_of ?? '')} loading={saving.isPending}>
            {t('Save plan')}
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
