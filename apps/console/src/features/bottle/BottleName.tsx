import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { TwoLines } from '../../ui/List.js';
import { bottleText } from './names.js';
import table from '../../ui/Table.module.css';

interface BottleNameProps {
  bottle: { bottle_id: string; medication: string; label: string | null };
  /** By what else people know it. */
  small: ReactNode;
}

/** A bottle in a row of a list, which leads to its page. */
export function BottleName({ bottle, small }: BottleNameProps) {
  return (
    <TwoLines
      main={
        <Link
          to="/bottles/$bottleId"
          params={{ bottleId: bottle.bottle_id }}
          className={table['main']}
          data-row-link
        >
          {bottleText(bottle)}
        </Link>
      }
      small={small}
    />
  );
}
