import { Link } from '@tanstack/react-router';
import { PageHead } from '../ui/PageHead.js';

export function NotFound() {
  return (
    <>
      <PageHead title="There is no such page" />
      <p>
        The address may be mistyped. Go to the <Link to="/">fleet</Link>, or{' '}
        <Link to="/bottles">find a bottle</Link>.
      </p>
    </>
  );
}
