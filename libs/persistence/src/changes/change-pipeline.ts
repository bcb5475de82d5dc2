import type { mongo } from 'mongoose';
import { Types } from 'mongoose';

/** The fields that lists and counts of bottles show; a heartbeat changes none of them. */
const LISTED_FIELDS = ['quiet', 'late', 'open', 'user_id', 'medication'] as const;
const WRITTEN_WHOLE = { operationType: { $in: ['insert', 'replace'] } };
const WRITTEN_OR_DELETED = { operationType: { $in: ['insert', 'replace', 'delete'] } };

/** The update set one of these fields. */
const set = (...fields: readonly string[]): object[] =>
  fields.map((field) => ({ [`updateDescription.updatedFields.${field}`]: { $exists: true } }));

/** Whether a bottle is in a list, or its place there, may have changed. */
const LISTED = [
  WRITTEN_OR_DELETED,
  ...set(...LISTED_FIELDS),
  { 'updateDescription.removedFields': { $in: LISTED_FIELDS } },
];

/** An id as text; null if it is none, as the error of one document would end the stream. */
const textOf = (input: string): object => ({
  $convert: { input, to: 'string', onError: null, onNull: null },
});

/**
 * Matches the changes that the console shows. The server leaves out everything else, heartbeats above all, so the
 * change feed does not grow with the fleet's traffic.
 *
 * @param watched ids of the bottles of which every change is included
 */
export function changePipeline(watched: readonly string[]): mongo.Document[] {
  // everybody reads this stream: one wrong id must not end it
  const ids = watched.filter((id) => Types.ObjectId.isValid(id)).map((id) => new Types.ObjectId(id));
  return [
    {
      $match: {
        $or: [
          { 'ns.coll': { $in: ['bottles', 'alerts', 'contacts'] } },
          { 'ns.coll': 'attestations', operationType: 'insert' },
          // claims and expired documents are left out
          {
            'ns.coll': 'deliveries',
            $or: [WRITTEN_WHOLE, ...set('status', 'next_attempt_at', 'reason')],
          },
          { 'ns.coll': 'bottle_states', $or: [...LISTED, { 'documentKey._id': { $in: ids } }] },
        ],
      },
    },
    {
      $project: {
        collection: '$ns.coll',
        id: { $toString: '$documentKey._id' },
        bottle_id: textOf('$fullDocument.bottle_id'),
        alert_id: textOf('$fullDocument.alert_id'),
        listed: {
          $or: [
            { $in: ['$operationType', WRITTEN_OR_DELETED.operationType.$in] },
            ...LISTED_FIELDS.flatMap((field) => [
              { $ne: [{ $type: `$updateDescription.updatedFields.${field}` }, 'missing'] },
              { $in: [field, { $ifNull: ['$updateDescription.removedFields', []] }] },
            ]),
          ],
        },
      },
    },
  ];
}
