import { Button, Modal } from '@mantine/core';
import { useEffect } from 'react';
import { session } from '../../api/session.js';
import type { Staff } from '../../api/types/staff.js';
import { live, queries } from '../../app/services.js';
import { CredentialsForm } from './CredentialsForm.js';
import classes from './SignIn.module.css';

/** The session has ended while somebody was at work. Behind this dialog everything stays as it was typed. */
export function SignInAgain({ staff }: { staff: Staff }) {
  useEffect(
    () => () => {
      live.retryNow();
      void queries.invalidateQueries();
    },
    [],
  );
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Your session has ended"
      data-dialog
    >
      <p className={classes['lead']}>Sign in again to go on. What you have typed is still there.</p>
      <CredentialsForm email={staff.email} />
      <Button variant="subtle" color="gray" fullWidth mt={8} onClick={() => void session.signOut()}>
        I am not {staff.name}
      </Button>
    </Modal>
  );
}
