import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './DialogButtons.module.css';

/** The end of a dialog: what it does, and a way out. */
export function DialogButtons({ onCancel, children }: { onCancel: () => void; children: ReactNode }) {
  return (
    <div className={classes['buttons']}>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      {children}
    </div>
  );
}
