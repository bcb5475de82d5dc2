import { UnstyledButton } from '@mantine/core';
import { type Status, STATUSES } from '../../api/types/bottle.js';
import { Mark, STATUS } from '../../ui/Mark.js';
import { useFleet } from '../fleet/queries.js';
import classes from './StatusFilter.module.css';

interface StatusFilterProps {
  value: Status | undefined;
  onChange: (value: Status | undefined) => void;
}

/** All bottles, or those of one status, with how many there are in the fleet. */
export function StatusFilter({ value, onChange }: StatusFilterProps) {
  const { data } = useFleet();
  return (
    <div role="group" aria-label="Status" className={classes['filter']}>
      <Choice
        on={value === undefined}
        onClick={() => onChange(undefined)}
        label="All"
        count={data?.bottles.total}
      />
      {STATUSES.map((status) => (
        <Choice
          key={status}
          on={value === status}
          onClick={() => onChange(value === status ? undefined : status)}
          label={STATUS[status].word}
          status={status}
          count={data?.bottles.by_status[status]}
        />
      ))}
    </div>
  );
}

interface ChoiceProps {
  on: boolean;
  onClick: () => void;
  label: string;
  status?: Status;
  count: number | undefined;
}

function Choice({ on, onClick, label, status, count }: ChoiceProps) {
  return (
    <UnstyledButton className={classes['choice']} aria-pressed={on} onClick={onClick}>
      {status && <Mark of={STATUS[status]} size={14} />}
      {label}
      {count !== undefined && <span className={classes['count']}>{count.toLocaleString('en')}</span>}
    </UnstyledButton>
  );
}
