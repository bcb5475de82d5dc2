import type { DeliveryResult } from '#domain';

/** Of an update with a pipeline: the attempts begin anew, and the earlier ones stay on record. */
export const ANEW = {
  attempts: [],
  earlier_attempts: { $concatArrays: [{ $ifNull: ['$earlier_attempts', []] }, '$attempts'] },
};

/**
 * The update that records a result.
 *
 * @param attempts how many came before; the one that this result ends was recorded after them when it began.
 */
export function toDeliveryUpdate(
  result: DeliveryResult,
  attempts: number,
): Record<string, unknown> | object[] {
  const free = { claim: '' };
  const attempt =
    'attempt' in result && result.attempt !== undefined ? { [`attempts.${attempts}`]: result.attempt } : {};
  switch (result.kind) {
    case 'delivered':
      return {
        $set: {
          status: 'delivered',
          ...attempt,
          ...(result.toPerson ? { told_at: result.attempt.at } : {}),
          ...(result.toNumber === undefined ? {} : { told_to: result.toNumber }),
        },
        $unset: { ...free, next_attempt_at: '' },
      };
    case 'retry':
      return {
        $set: {
          next_attempt_at: result.next_attempt_at,
          ...attempt,
          ...(result.retry_early_from ? { retry_early_from: result.retry_early_from } : {}),
        },
        $unset: { ...free, reason: '' },
      };
    case 'refused':
      return {
        $set: { next_attempt_at: result.at, ...attempt },
        $unset: { ...free, reason: '', retry_early_from: '', early: '' },
      };
    case 'dead':
      return {
        $set: { status: 'dead', reason: result.reason, ...attempt },
        $unset: { ...free, next_attempt_at: '' },
      };
    case 'cancelled':
      return {
        $set: { status: 'cancelled', reason: result.reason },
        $unset: { ...free, next_attempt_at: '' },
      };
    case 'postponed':
      return {
        $set: {
          next_attempt_at: result.next_attempt_at,
          reason: result.reason,
          ...(result.throttled ? { throttled: true } : {}),
        },
        $unset: free,
      };
    case 'moved':
      // attempts at the new address are counted from the start
      return [
        {
          $set: {
            moved_from: result.returns
              ? []
              : {
                  $concatArrays: [
                    { $ifNull: ['$moved_from', []] },
                    [{ recipient: '$recipient', channel: '$channel' }],
                  ],
                },
            ...ANEW,
            recipient: result.to.recipient,
            channel: result.to.channel,
            next_attempt_at: result.at,
          },
        },
        { $unset: ['claim', 'reason', 'retry_early_from', 'early'] },
      ];
  }
}
