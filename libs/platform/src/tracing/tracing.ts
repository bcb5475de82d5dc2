import type { Span, SpanDetails, Tracing } from './spans.js';

export type { Span };

/** OpenTelemetry's `SpanStatusCode.ERROR`. */
const FAILED = 2;

let tracing: Tracing | undefined;

/**
 * Turns tracing on if `OTEL_EXPORTER_OTLP_ENDPOINT` is set, for the whole process: before the first app is created.
 *
 * @param service the `service.name`, unless `OTEL_SERVICE_NAME` says another.
 */
export async function startTracing(
  service: string,
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: { OTEL_EXPORTER_OTLP_ENDPOINT?: string },
): Promise<Pick<Tracing, 'close'>> {
  if (endpoint !== undefined) tracing = (await import('./exporter.js')).startExporter(service);
  return { close: async () => tracing?.close() };
}

export function isTracing(): boolean {
  return tracing !== undefined;
}

/** Starts a span. @returns undefined while tracing is off, and if the sampler leaves it out */
export function startSpan(name: string, details: SpanDetails = {}): Span | undefined {
  const span = tracing?.start(name, details);
  return span?.isRecording() ? span : undefined;
}

/** The `traceparent` of W3C Trace Context by which another process continues a span. */
export function traceparentOf(span: Span | undefined): string | undefined {
  if (!span) return undefined;
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** Marks a span as failed. */
export function failSpan(span: Span | undefined, message?: string): void {
  span?.setStatus({ code: FAILED, ...(message !== undefined && { message }) });
}

/** Fields of a line of the log about what a `traceparent` or a span belongs to. */
export function traceFields(traced: Span | string | undefined): { trace_id?: string } {
  if (traced === undefined) return {};
  return { trace_id: typeof traced === 'string' ? traced.split('-')[1]! : traced.spanContext().traceId };
}
