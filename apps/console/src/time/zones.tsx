import { createContext, useContext } from 'react';
import { VIEWER_ZONE } from './format.js';

/** The zone in which times are written: the viewer's, and on a bottle's page the one that was chosen there. */
export const ZoneContext = createContext(VIEWER_ZONE);

export function useZone(): string {
  return useContext(ZoneContext);
}
