import { Button, type ButtonProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../i18n/i18n.js';

interface ConfirmedProps {
  /** The label of the first button. */
  label: ReactNode;
  /** The label of the button that does it. */
  action: string;
  /** What is lost, beside the second button. */
  text?: string;
  pending: boolean;
  onConfirm: () => void;
  /** Of both buttons. */
  size?: ButtonProps['size'];
  color?: ButtonProps['color'];
  variant?: ButtonProps['variant'];
}

/** A button for what cannot be undone: only a second button, in its place, does it. */
export function Confirmed({ label, action, text, pending, onConfirm, ...style }: ConfirmedProps) {
  const [confirming, setConfirming] = useState(false);
  if (!confirming) {
    return (
      <Button {...style} loading={pending} onClick={() => setConfirming(true)}>
        {label}
      </Button>
    );
  }
  const { size } = style;
  return (
    <>
      {text && <span>{text}</span>}{' '}
      <Button
        color="red"
        {...(size ? { size } : {})}
        loading={pending}
        onClick={() => {
          setConfirming(false);
          onConfirm();
        }}
      >
        {action}
      </Button>{' '}
      <Button variant="default" {...(size ? { size } : {})} autoFocus onClick={() => setConfirming(false)}>
        {t('Cancel')}
      </Button>
    </>
  );
}
