import { Button, type ButtonProps } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { session } from '../api/session.js';
import { DownloadIcon } from './icons.js';

interface DownloadProps extends ButtonProps {
  /** In the API. */
  href: string;
  /** The file's name. */
  name: string;
  children: ReactNode;
}

/**
 * Downloads a file from the API. If the person must sign in again for it, they are asked before: a browser shows nothing
 * of a download that is refused.
 */
export function Download({ href, name, children, ...style }: DownloadProps) {
  const confirmFirst = (event: MouseEvent): void => {
    if (session.isFresh()) return;
    event.preventDefault();
    session.confirmed().then(
      () => start(href, name),
      () => undefined,
    );
  };
  return (
    <Button
      component="a"
      variant="default"
      leftSection={<DownloadIcon />}
      {...style}
      href={href}
      download={name}
      onClick={confirmFirst}
    >
      {children}
    </Button>
  );
}

function start(href: string, name: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
}
