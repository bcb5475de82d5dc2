/** An id of the database; the domain never looks into it. */
export interface Id {
  toHexString(): string;
}
