import { Button, Select, TextInput } from '@mantine/core';
import type { EscalationStep } from '../../../api/types/contact.js';
import classes from './Contacts.module.css';

interface StepFieldsProps {
  steps: EscalationStep[];
  onChange: (steps: EscalationStep[]) => void;
  wrong: (field: string) => string | undefined;
}

const WHO = [
  { value: 'user', label: 'the user' },
  { value: 'carer', label: 'the carer' },
];

/** The order in which people are told until somebody acknowledges. */
export function StepFields({ steps, onChange, wrong }: StepFieldsProps) {
  const replace = (index: number, step: EscalationStep): void =>
    onChange(steps.map((other, place) => (place === index ? step : other)));
  return (
    <div className={classes['group']}>
      {steps.map((step, index) => (
        <fieldset
          key={index}
          className={classes['row']}
          style={{ border: 0, margin: 0, padding: 0 }}
          aria-label={`Step ${index + 1}`}
        >
          <TextInput
            label="After (such as 30m, 2h)"
            w={160}
            value={step.after}
            error={wrong(`escalation[${index}].after`) ?? wrong(`escalation.${index}.after`)}
            onChange={(event) => replace(index, { ...step, after: event.currentTarget.value.trim() })}
          />
          <Select
            label="tell"
            w={130}
            data={WHO}
            value={step.to}
            onChange={(to) => replace(index, { ...step, to: (to ?? 'user') as EscalationStep['to'] })}
          />
          <TextInput
            label="again every (may be empty)"
            w={180}
            value={step.repeat ?? ''}
            error={wrong(`escalation[${index}].repeat`) ?? wrong(`escalation.${index}.repeat`)}
            onChange={(event) => {
              const repeat = event.currentTarget.value.trim();
              const { repeat: _old, ...others } = step;
              replace(index, repeat === '' ? others : { ...others, repeat });
            }}
          />
          <Button
            variant="subtle"
            color="gray"
            onClick={() => onChange(steps.filter((_, place) => place !== index))}
            disabled={steps.length === 1}
          >
            Take away
          </Button>
        </fieldset>
      ))}
      <div>
        <Button variant="default" onClick={() => onChange([...steps, { after: '30m', to: 'carer' }])}>
          Add a step
        </Button>
      </div>
    </div>
  );
}
