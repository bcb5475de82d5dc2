/** A plain object without the fields that class-transformer left undefined. */
export function definedOnly<T extends object>(body: T): T {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as T;
}
