import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { TwoLines } from '../../ui/List.js';
import table from '../../ui/Table.module.css';

interface BottleNameProps {
  bottle: { bottle_id: string; medication: string };
  /** By what else people know it. */
  small: ReactNode;
}

/** A bottle in a row of a list, which leads to its page. */
export function BottleName({ bottle: { bottle_id, medication }, small }: BottleNameProps) {
  return (
    <TwoLines
      main={
        <Link
          to="/bottles/$bottleId"
          params={{ bottleId: bottle_id }}
          className={table['main']}
          data-row-link
        >
          {medication}
        </Link>
      }
      small={small}
    />
  );
}
