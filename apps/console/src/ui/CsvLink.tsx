import { Button } from '@mantine/core';
import { address, type Query } from '../api/http.js';
import { DownloadIcon } from './icons.js';

interface CsvLinkProps {
  /** The list's path in the API. */
  path: string;
  /** What it is narrowed by. */
  query?: Query;
  /** What the file is called, without its ending. */
  name: string;
}

/** The whole of a list as a file. */
export function CsvLink({ path, query, name }: CsvLinkProps) {
  return (
    <Button
      component="a"
      variant="default"
      href={address(path, { ...query, format: 'csv' })}
      download={`${name}.csv`}
      leftSection={<DownloadIcon />}
    >
      CSV
    </Button>
  );
}
