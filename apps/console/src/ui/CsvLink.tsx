import type { ReactNode } from 'react';
import { address, type Query } from '../api/http.js';
import { useMay } from '../api/session.js';
import { Download } from './Download.js';
import { t } from '../i18n/i18n.js';

interface CsvLinkProps {
  /** The list's path in the API. */
  path: string;
  /** The filters of the list. */
  query?: Query;
  /** The file's name without its extension. */
  name: string;
  /** What it is, where a page has several. */
  label?: ReactNode;
  /** A link in the head of a panel. */
  subtle?: boolean;
}

/** Downloads a whole list as a file; hidden from viewers, who may not. */
export function CsvLink({ path, query, name, label = t('Export CSV'), subtle = false }: CsvLinkProps) {
  if (!useMay('support')) return null;
  return (
    <Download
      href={address(path, { ...query, format: 'csv' })}
      name={`${name}.csv`}
      {...(subtle && { variant: 'subtle', color: 'gray', leftSection: undefined })}
    >
      {label}
    </Download>
  );
}
