// types only: nothing of OpenTelemetry is loaded while tracing is off
import type { Span, SpanOptions } from '@opentelemetry/api';

export type { Span };

/** `parent` and `links`: spans of this process, or the `traceparent` of others. */
export interface SpanDetails extends Pick<SpanOptions, 'attributes'> {
  /** Serves a request, or makes one to another service; default: neither. */
  kind?: 'server' | 'client';
  parent?: Span | string | undefined;
  links?: (Span | string)[];
  /** By the monotonic timer (`performance.now()`); default: now. */
  startTime?: number;
}

/** The exporter of a process. */
export interface Tracing {
  start(name: string, details: SpanDetails): Span;
  /** Sends what is left. */
  close(): Promise<void>;
}
