import { Button, Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldError } from '../../../api/problem.js';
import { patch } from '../../../api/request.js';
import { queries } from '../../../app/services.js';
import { ZONES } from '../../../time/all-zones.js';
import { notify } from '../../../ui/notify.js';
import { Panel } from '../../../ui/Panel.js';
import { explain } from '../../../ui/States.js';
import { useBottle } from '../queries.js';
import classes from './ManageTab.module.css';

/** Whose it is, what is in it, where it is at home. */
export function ChangeForm() {
  const { bottle_id, user_id, medication, time_zone } = useBottle();
  const [draft, setDraft] = useState({ user_id, medication, time_zone });
  const changed = Object.entries({ user_id, medication, time_zone }).filter(
    ([field, value]) => draft[field as keyof typeof draft] !== value,
  );
  const save = useMutation({
    mutationFn: () =>
      patch(
        `/v1/bottles/${bottle_id}`,
        Object.fromEntries(changed.map(([field]) => [field, draft[field as keyof typeof draft]])),
      ),
    onSuccess: () => notify('The bottle has been changed.'),
    onSettled: () => queries.invalidateQueries({ queryKey: ['bottle', bottle_id] }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Panel title="The bottle">
      <form onSubmit={submit} className={classes['form']}>
        <TextInput
          label="User id"
          required
          withAsterisk={false}
          maxLength={200}
          value={draft.user_id}
          error={fieldError(save.error, 'user_id')}
          onChange={(event) => setDraft({ ...draft, user_id: event.currentTarget.value })}
        />
        <TextInput
          label="Medication"
          required
          withAsterisk={false}
          maxLength={200}
          value={draft.medication}
          error={fieldError(save.error, 'medication')}
          onChange={(event) => setDraft({ ...draft, medication: event.currentTarget.value })}
        />
        <Select
          label="Time zone"
          description="Doses that follow the bottle follow it from now on."
          searchable
          data={ZONES.includes(time_zone) ? ZONES : [time_zone, ...ZONES]}
          value={draft.time_zone}
          error={fieldError(save.error, 'time_zone')}
          onChange={(zone) => setDraft({ ...draft, time_zone: zone ?? time_zone })}
        />
        {save.error && (
          <p role="alert" className={classes['error']}>
            {explain(save.error).join('. ')}
          </p>
        )}
        <div>
          <Button type="submit" disabled={changed.length === 0} loading={save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Panel>
  );
}
