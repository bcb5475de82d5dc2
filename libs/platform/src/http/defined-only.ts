/** A plain object without the fields that class-transformer left undefined. */
export function definedOnly<T extends object>(body: T): T {
  // a loop, because each report passes here
  const defined = {} as T;
  for (const field in body) if (body[field] !== undefined) defined[field] = body[field];
  return defined;
}
