import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './Form.module.css';
import { errorText } from './States.js';

interface FormProps {
  onSubmit: () => void;
  className?: string | undefined;
  /** For screen readers, where no heading names the form. */
  label?: string;
  children: ReactNode;
}

/** A form that is sent by script. */
export function Form({ onSubmit, className = classes['form'], label, children }: FormProps) {
  return (
    <form
      aria-label={label}
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

/** Why the server rejected a request; nothing without an error. */
export function FormError({ error }: { error: Error | null }) {
  return (
    error && (
      <p role="alert" className={classes['error']}>
        {errorText(error)}
      </p>
    )
  );
}

interface FormDialogProps {
  title: string;
  /** The label of the button that submits. */
  action: string;
  /** Colours the button as one that destroys something. */
  danger?: boolean;
  disabled?: boolean;
  busy: boolean;
  error?: Error | null;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog with a form; the caller renders it only while it is open. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, danger = false, disabled = false, busy, error = null } = props;
  return (
    <Modal opened onClose={props.onClose} title={title}>
      <Form onSubmit={props.onSubmit}>
        {props.children}
        <FormError error={error} />
        <div className={classes['dialogButtons']}>
          <Button variant="default" onClick={props.onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy} disabled={disabled} {...(danger ? { color: 'red' } : {})}>
            {action}
          </Button>
        </div>
      </Form>
    </Modal>
  );
}
