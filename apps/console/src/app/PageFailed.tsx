import { useEffect } from 'react';
import { Failed } from '../ui/States.js';
import { live } from './services.js';

/** A page that cannot be shown, as when its charts did not load. It is loaded again when the network is back. */
export function PageFailed({ error }: { error: Error }) {
  useEffect(() => {
    let { kind } = live.get();
    return live.subscribe(() => {
      const before = kind;
      kind = live.get().kind;
      if (before === 'stale' && kind === 'live') location.reload();
    });
  }, []);
  return <Failed error={error} retry={() => location.reload()} />;
}
