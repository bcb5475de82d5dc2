/** The database is in trouble, and not the record at hand: whatever is under way stops and is tried again. */
export function isDatabaseError(error: unknown): boolean {
  return error instanceof Error && error.name.startsWith('Mongo');
}
