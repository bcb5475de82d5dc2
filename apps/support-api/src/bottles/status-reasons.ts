import { type Alert, type Bottle, type BottleState, type BottleStatus, statusOf } from '#persistence';
import type { StatusReasonDto } from './bottle-views.dto.js';

/** Why a bottle has its status: everything that applies, the status itself first. */
export function statusReasons(bottle: Bottle, state: BottleState, openAlerts: Alert[]): StatusReasonDto[] {
  const status = statusOf(state);
  const also: BottleStatus[] = status === 'unknown' || status === 'silent' ? besides(state) : [];
  if (status === 'late' && state.open) also.push('open');
  return [status, ...also].map((word) => reason(word, bottle, state, openAlerts));
}

/** What was true when the bottle was last heard of. */
function besides(state: BottleState): BottleStatus[] {
  return [...(state.late ? (['late'] as const) : []), ...(state.open ? (['open'] as const) : [])];
}

function reason(
  status: BottleStatus,
  bottle: Bottle,
  state: BottleState,
  openAlerts: Alert[],
): StatusReasonDto {
  switch (status) {
    case 'unknown':
      return {
        status,
        since: bottle.registered_at,
        text: 'It was registered and has not been heard of yet.',
      };
    case 'silent':
      return { status, since: state.last_heard_at ?? null, text: 'Nothing has been heard of it since then.' };
    case 'late':
      return { status, ...lateness(openAlerts) };
    case 'open':
      return { status, since: state.last_action?.time ?? null, text: openText(state) };
    case 'ok':
      return { status, since: null, text: 'Heard of in time, closed, and no dose is late.' };
  }
}

function lateness(openAlerts: Alert[]): Omit<StatusReasonDto, 'status'> {
  const missed = openAlerts.filter(({ kind }) => kind === 'missed_dose');
  const first = Math.min(...missed.map(({ deadline }) => deadline.getTime()));
  const text =
    missed.length > 1 ? `${missed.length} doses were not taken in time.` : 'A dose was not taken in time.';
  return { since: missed.length > 0 ? new Date(first) : null, text };
}

function openText(state: BottleState): string {
  return state.open_alerted && state.open_unchanged
    ? 'It stands open, and has for too long.'
    : 'It stands open.';
}
