import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useMay } from '../../api/session.js';
import { PageHead } from '../../ui/PageHead.js';
import { Empty } from '../../ui/States.js';
import { ImportForm } from './ImportForm.js';
import { RegisterForm } from './RegisterForm.js';
import classes from './RegisterPage.module.css';

const WAYS = [
  { value: 'one', label: 'One bottle' },
  { value: 'many', label: 'Many, from CSV' },
];

/** New bottles: one by a form, or many from a file. */
export function RegisterPage() {
  const [way, setWay] = useState('one');
  if (!useMay('support')) {
    return (
      <>
        <PageHead title="Register" />
        <Empty title="Your role is viewer">Somebody of support or an admin can register bottles.</Empty>
      </>
    );
  }
  return (
    <>
      <PageHead title="Register" />
      <SegmentedControl
        className={classes['way']}
        size="xs"
        aria-label="How many"
        data={WAYS}
        value={way}
        onChange={setWay}
      />
      {way === 'one' ? <RegisterForm /> : <ImportForm />}
    </>
  );
}
