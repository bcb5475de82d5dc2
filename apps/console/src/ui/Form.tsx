import { Button, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, type FormEvent, type ReactNode, useLayoutEffect, useState } from 'react';
import { fieldError, formErrorText } from '../errors/error-text.js';
import { useRequestKeys } from '../api/request-key.js';
import classes from './Form.module.css';
import { t } from '../i18n/i18n.js';

interface FormProps {
  onSubmit: () => void;
  onInput?: (event: FormEvent) => void;
  className?: string | undefined;
  /** For screen readers, where no heading names the form. */
  label?: string;
  children: ReactNode;
}

interface FormOptions<T, R> {
  initial: T;
  /** Sends the values to the server. @param key the same if the same values are sent again, because no response came */
  save: (values: T, key: string) => Promise<R>;
  onSaved?: (result: R) => unknown;
}

/** A form's values, the props of its inputs, and the request that saves it. */
export function useForm<T extends object, R>({ initial, save, onSaved }: FormOptions<T, R>) {
  const [values, setValues] = useState(initial);
  const keys = useRequestKeys();
  const saving = useMutation({
    mutationFn: () => save(values, keys.keyFor(values)),
    onSuccess: (result) => {
      keys.saved();
      return onSaved?.(result);
    },
  });
  const set = (change: Partial<T>): void => setValues((before) => ({ ...before, ...change }));
  const errorOf = (field: string): string | undefined => fieldError(saving.error, field);
  return { values, set, saving, errorOf, ...inputProps(values, set, errorOf) };
}

/** The props that connect inputs with the fields of an object. */
export function inputProps<T extends object>(
  values: T,
  set: (change: Partial<T>) => void,
  errorOf: (field: string) => string | undefined,
) {
  const change = (field: keyof T, value: unknown): void => set({ [field]: value } as Partial<T>);
  return {
    /** Of a text or a selection. @param name the field's name in the API, if it differs */
    text: <K extends keyof T & string>(field: K, name: string = field) => ({
      value: values[field],
      error: errorOf(name),
      onChange: (given: ChangeEvent<HTMLInputElement> | string | null) => {
        const value = given !== null && typeof given === 'object' ? given.currentTarget.value : given;
        if (value !== null) change(field, value);
      },
    }),
    /** Of a `NumberInput`. */
    number: <K extends keyof T & string>(field: K, name: string = field) => ({
      value: values[field],
      error: errorOf(name),
      onChange: (given: number | string) => change(field, given === '' ? '' : Number(given)),
    }),
    /** Of a switch or a checkbox. */
    toggle: (field: keyof T) => ({
      checked: values[field] === true,
      onChange: (event: ChangeEvent<HTMLInputElement>) => change(field, event.currentTarget.checked),
    }),
  };
}

/** A form that is sent by script. */
export function Form({ onSubmit, onInput, className = classes['form'], label, children }: FormProps) {
  return (
    <form
      aria-label={label}
      className={className}
      onInput={onInput}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

/** Why the server rejected a request, but for what the fields of the form say; nothing without an error. */
export function FormError({ error }: { error: Error | null }) {
  const [text, setText] = useState('');
  // once all fields are drawn: then it is known which of them show what is wrong
  useLayoutEffect(() => setText(error ? formErrorText(error) : ''), [error]);
  return (
    error && (
      <p role="alert" className={classes['error']}>
        {text}
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
  /** The request that the form sends; a form without one is done when it is submitted. */
  saving?: { isPending: boolean; error?: Error | null; mutate: () => void };
  onSubmit?: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** What closing a dialog loses, and the question that asks about it. */
export interface Loss {
  title: string;
  text: string;
  stay: string;
  leave: string;
}

const TYPED: Loss = {
  title: t('Discard what you typed?'),
  text: t('It is not saved.'),
  stay: t('Keep typing'),
  leave: t('Discard'),
};

/**
 * Keeps what was typed into a dialog, or what it shows only now, from being lost by Escape or the cross: it asks first.
 * A button that says “Cancel” does not.
 *
 * @param isOpen false once what was typed is saved
 * @param shown what would be lost of what the dialog shows
 * @returns the props of the `Modal`, a listener around its contents, and the question
 */
export function useCloseGuard(onClose: () => void, isOpen = true, shown?: Loss) {
  const [typed, setTyped] = useState(false);
  const [asking, setAsking] = useState(false);
  const loss = shown ?? (typed ? TYPED : undefined);
  return {
    modal: {
      onClose: () => (loss && isOpen ? setAsking(true) : onClose()),
      // the question has the Escape key then
      closeOnEscape: !asking,
      trapFocus: !asking,
    },
    onInput: ({ target }: FormEvent) => {
      if (isTextField(target)) setTyped(true);
    },
    question: asking && loss && (
      <Modal opened onClose={() => setAsking(false)} title={loss.title}>
        <p>{loss.text}</p>
        <div className={classes['dialogButtons']}>
          <Button variant="default" onClick={() => setAsking(false)} data-autofocus>
            {loss.stay}
          </Button>
          <Button color="red" onClick={onClose}>
            {loss.leave}
          </Button>
        </div>
      </Modal>
    ),
  };
}

function isTextField(target: EventTarget): boolean {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && !['checkbox', 'radio'].includes(target.type);
}

/** A dialog with a form; the caller renders it only while it is open. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, danger = false, disabled = false, saving } = props;
  const guard = useCloseGuard(props.onClose);
  const submit = props.onSubmit ?? (() => saving?.mutate());
  return (
    // a click beside it would lose what was entered
    <Modal opened {...guard.modal} closeOnClickOutside={false} title={title}>
      {guard.question}
      <Form onSubmit={submit} onInput={guard.onInput}>
        {props.children}
        <FormError error={saving?.error ?? null} />
        <div className={classes['dialogButtons']}>
          <Button variant="default" onClick={props.onClose}>
            {t('Cancel')}
          </Button>
          <Button
            type="submit"
            loading={saving?.isPending ?? false}
            disabled={disabled}
            {...(danger ? { color: 'red' } : {})}
          >
            {action}
          </Button>
        </div>
      </Form>
    </Modal>
  );
}
