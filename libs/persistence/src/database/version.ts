import { Types } from 'mongoose';

/** The version of a document that has none yet: it was written before documents had versions. */
export const FIRST_VERSION = '0';

/** The version of a document, for a client to send back. */
export function versionOf({ version }: { version?: Types.ObjectId }): string {
  return version?.toHexString() ?? FIRST_VERSION;
}

/** The versions of which a change allows one; `*` for any, if there is the document; undefined for no condition. */
export type Expected = readonly string[] | '*' | undefined;

/** A part of a filter: the document has one of these versions. */
export function hasVersion(expected: Expected): object {
  if (expected === undefined || expected === '*') return {};
  const ids = expected.map((version) => (version === FIRST_VERSION ? null : new Types.ObjectId(version)));
  return { version: { $in: ids } };
}

/** A new version with each change: never one that a document, or one before it with the same id, has had. */
export const newVersion = (): { version: Types.ObjectId } => ({ version: new Types.ObjectId() });
