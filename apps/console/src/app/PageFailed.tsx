import { useEffect } from 'react';
import { isStatus } from '../api/http.js';
import { Failed } from '../ui/States.js';
import { live } from './services.js';

/** A page that fails sooner after it was loaded is not loaded again by itself: that would not end. Milliseconds. */
const SETTLED_MS = 10_000;

/**
 * A page that did not load. Its code is loaded again when the network is back; at once if it is back already and this
 * failure is of earlier.
 */
export function PageFailed({ error }: { error: Error }) {
  const isUnreachable = isStatus(error, 0);
  useEffect(() => {
    if (isUnreachable && live.get().kind === 'live' && performance.now() > SETTLED_MS) location.reload();
    let { kind } = live.get();
    return live.subscribe(() => {
      const before = kind;
      kind = live.get().kind;
      if (before === 'stale' && kind === 'live') location.reload();
    });
  }, [isUnreachable]);
  return <Failed error={error} retry={() => location.reload()} />;
}
