import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface OtlpSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  links?: { traceId: string }[];
  attributes: { key: string; value: { stringValue?: string } }[];
}

/** A span, and the `service.name` of who sent it. */
export type ReceivedSpan = OtlpSpan & { service: string };

interface OtlpRequest {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue: string } }[] };
    scopeSpans: { spans: OtlpSpan[] }[];
  }[];
}

/** Takes spans by OTLP over HTTP, as JSON. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      void request.toArray().then((chunks) => {
        this.take(JSON.parse(Buffer.concat(chunks as Buffer[]).toString()) as OtlpRequest);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
  }

  static async start(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver();
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  /** The settings of a process that sends its spans here, soon. */
  get settings(): Record<string, string> {
    const { port } = this.server.address() as AddressInfo;
    return {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_BSP_SCHEDULE_DELAY: '100',
    };
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private take({ resourceSpans }: OtlpRequest): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')!.value.stringValue;
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) this.spans.push({ ...span, service });
    }
  }
}
