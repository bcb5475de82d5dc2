import { Button, Modal } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import form from './Form.module.css';
import { t } from '../i18n/i18n.js';

interface UnsavedProps {
  /** What leaving the page loses, as a sentence. */
  text: string;
}

/** Asks before the page or the tab is left; rendered only while something would be lost. */
export function Unsaved({ text }: UnsavedProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => true,
    enableBeforeUnload: true,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return <LeaveDialog text={text} onStay={reset} onLeave={proceed} />;
}

/** Asks before the tab is closed or loaded again; for what is shown where there are no other pages. */
export function useAskBeforeUnload(asks: boolean): void {
  useEffect(() => {
    if (!asks) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [asks]);
}

interface LeaveDialogProps extends UnsavedProps {
  onStay: () => void;
  onLeave: () => void;
}

export function LeaveDialog({ text, onStay, onLeave }: LeaveDialogProps) {
  return (
    <Modal opened onClose={onStay} title={t('Leave this page?')}>
      <p>{text}</p>
      <div className={form['dialogButtons']} style={{ marginTop: 20 }}>
        <Button variant="default" onClick={onStay} data-autofocus>
          {t('Stay')}
        </Button>
        <Button color="red" onClick={onLeave}>
          {t('Leave')}
        </Button>
      </div>
    </Modal>
  );
}
