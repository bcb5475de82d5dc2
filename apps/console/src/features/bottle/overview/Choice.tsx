import { SegmentedControl } from '@mantine/core';
import classes from './AttestDialog.module.css';

interface ChoiceProps<V extends string> {
  label: string;
  data: { value: V; label: string }[];
  value: V;
  onChange: (value: V) => void;
}

/** One of a few, under its label. */
export function Choice<V extends string>({ label, ...control }: ChoiceProps<V>) {
  return (
    <div>
      <p className={classes['label']}>{label}</p>
      <SegmentedControl aria-label={label} fullWidth size="xs" {...control} />
    </div>
  );
}
