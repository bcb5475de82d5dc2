import { Link } from '@tanstack/react-router';
import { PageHead } from '../ui/PageHead.js';

export function NotFound() {
  return (
    <>
      <PageHead title="Page not found" />
      <p>
        Check the address, go to the <Link to="/">fleet</Link>, or <Link to="/bottles">find a bottle</Link>.
      </p>
    </>
  );
}
