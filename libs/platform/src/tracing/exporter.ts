import {
  type Context,
  diag,
  DiagLogLevel,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { Logger } from '@nestjs/common';
import { Throttled } from '../logs/throttled.js';
import type { SpanDetails, Tracing } from './spans.js';

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

/** Sends spans to `OTEL_EXPORTER_OTLP_ENDPOINT`. The SDK reads the other standard variables itself. */
export function startExporter(service: string): Tracing {
  logProblems();
  const resource = resourceFromAttributes({ 'service.name': service }).merge(
    detectResources({ detectors: [envDetector] }),
  );
  const provider = new BasicTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('pillwatch');
  return {
    start: (name, { parent, links, kind, ...options }) =>
      tracer.startSpan(
        name,
        { ...options, kind: KINDS[kind ?? 'internal'], ...(links && { links: links.flatMap(linkTo) }) },
        contextOf(parent),
      ),
    close: () => provider.shutdown(),
  };
}

/** What OpenTelemetry cannot do, such as reach its receiver: that comes with each batch of spans. */
function logProblems(): void {
  const logger = new Logger('Tracing');
  const warn = (message: string): void => logger.warn(message);
  const quiet = (): void => undefined;
  const levels = { error: warn, warn, info: quiet, debug: quiet, verbose: quiet };
  diag.setLogger(levels, { logLevel: DiagLogLevel.WARN });
  const unsent = new Throttled();
  setGlobalErrorHandler((problem) => {
    const times = unsent.count();
    if (times !== undefined)
      logger.warn(`spans were lost; so often since the last such line: ${times}; ${reasonOf(problem)}`);
  });
}

/** An error of the network has a code, and no message if it tried several addresses. */
function reasonOf(problem: unknown): string {
  const { code, name, message } = problem as NodeJS.ErrnoException;
  return typeof problem === 'string' ? problem : [name, code, message].filter(Boolean).join(' ');
}

function contextOf(parent: SpanDetails['parent']): Context {
  if (parent === undefined) return ROOT_CONTEXT;
  if (typeof parent !== 'string') return trace.setSpan(ROOT_CONTEXT, parent);
  const remote = parseTraceParent(parent);
  return remote ? trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true }) : ROOT_CONTEXT;
}

function linkTo(to: Span | string): Link | [] {
  const linked = typeof to === 'string' ? parseTraceParent(to) : to.spanContext();
  return linked ? { context: linked } : [];
}
