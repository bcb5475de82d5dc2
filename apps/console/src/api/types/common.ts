/** A time as the API answers it: ISO 8601, in UTC. */
export type Instant = string;

export interface Page<T> {
  items: T[];
  next_cursor?: string;
}
