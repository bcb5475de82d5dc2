import { Button } from '@mantine/core';
import { address, type Query } from '../api/http.js';
import { DownloadIcon } from './icons.js';

interface CsvLinkProps {
  /** The list's path in the API. */
  path: string;
  /** The filters of the list. */
  query?: Query;
  /** The file's name without its extension. */
  name: string;
}

/** Downloads a whole list as a file. */
export function CsvLink({ path, query, name }: CsvLinkProps) {
  return (
    <Button
      component="a"
      variant="default"
      href={address(path, { ...query, format: 'csv' })}
      download={`${name}.csv`}
      leftSection={<DownloadIcon />}
    >
      Export CSV
    </Button>
  );
}
