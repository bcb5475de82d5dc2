/** The ways to look at alerts: what needs a person, and what has become of the others. */
export const VIEWS = {
  now: { label: 'Needs a person', query: { order: 'needs_person' } },
  snoozed: { label: 'Snoozed', query: { order: 'comes_back' } },
  acknowledged: { label: 'In hand', query: { state: 'acknowledged' } },
  resolved: { label: 'Over', query: { state: 'resolved' } },
  retracted: { label: 'Taken back', query: { state: 'retracted' } },
  all: { label: 'All', query: {} },
} as const;

export type ViewName = keyof typeof VIEWS;

export function viewNamed(name: string | undefined): ViewName {
  return name !== undefined && Object.hasOwn(VIEWS, name) ? (name as ViewName) : 'now';
}
