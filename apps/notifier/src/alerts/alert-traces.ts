import { alertKindFacts, type AlertToRaise } from '#domain';
import { BottleActionsRepository, asObjectId } from '#persistence';
import { isTracing, type Span, startSpan } from '#platform';
import { Injectable } from '@nestjs/common';

/** The spans of alerts: each continues the trace of the report that caused it, or else that of its check. */
@Injectable()
export class AlertTraces {
  constructor(private readonly actions: BottleActionsRepository) {}

  /** @returns the span of each alert that is traced; undefined while tracing is off */
  async begin(
    found: readonly AlertToRaise[],
    check: Span | undefined,
  ): Promise<ReadonlyMap<AlertToRaise, Span> | undefined> {
    if (!isTracing()) return undefined;
    const caused = found.filter(({ kind }) => alertKindFacts(kind).causedByAction);
    const reports = new Map(
      (
        await this.actions.findTraceparents(
          caused.map(({ bottle, cause }) => ({ bottle_id: asObjectId(bottle._id), time: cause })),
        )
      ).map(({ bottle_id, time, traceparent }) => [keyOf(bottle_id, time), traceparent]),
    );
    const spans = found.map((one): [AlertToRaise, Span | undefined] => {
      const report = alertKindFacts(one.kind).causedByAction
        ? reports.get(keyOf(one.bottle._id, one.cause))
        : undefined;
      const links = report !== undefined && check ? [check] : [];
      return [one, startSpan(`raise ${one.kind}`, { parent: report ?? check, links })];
    });
    return new Map(spans.filter((entry): entry is [AlertToRaise, Span] => entry[1] !== undefined));
  }
}

const keyOf = (bottle: { toHexString(): string }, time: Date): string =>
  `${bottle.toHexString()} ${time.getTime()}`;
