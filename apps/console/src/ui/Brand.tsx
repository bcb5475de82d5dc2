import classes from './Brand.module.css';

/** The product's logo. */
export function Brand() {
  return (
    <span className={classes['brand']}>
      <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden>
        <rect x="9" y="2" width="14" height="6" rx="2" className={classes['deep']} />
        <path
          d="M10 10h12a3 3 0 0 1 3 3v13a4 4 0 0 1-4 4H11a4 4 0 0 1-4-4V13a3 3 0 0 1 3-3Z"
          className={classes['pale']}
        />
        <path d="M7 18h18v8a4 4 0 0 1-4 4H11a4 4 0 0 1-4-4Z" className={classes['deep']} />
      </svg>
      Pillwatch
    </span>
  );
}
