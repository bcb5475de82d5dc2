import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../libs/platform/src/embedded-database/free-port.js';
import { eventually } from '../../tools/harness/eventually.js';
import { FACTOR, faster } from './time-scale.js';

interface Firing {
  labels: Record<string, string>;
  startsAt: string;
}

/** An alert that Alertmanager sent to one of the receivers of its example. */
export interface Notice {
  receiver: 'pager' | 'tickets' | 'dead-mans-switch';
  name: string;
  labels: Record<string, string>;
  /** When it came, and when the alert began to fire. Unix time in milliseconds. */
  at: number;
  startsAt: number;
}

/** Prometheus and Alertmanager as Debian has them, with the rules and routes of `ops/`, {@link faster}. */
export class Monitoring {
  readonly notices: Notice[] = [];
  /** The names of the alerts of which Alertmanager has sent the end. */
  readonly resolved: string[] = [];
  private readonly children = new Map<string, ChildProcess>();

  private constructor(
    private readonly folder: string,
    private readonly ports: Record<'prometheus' | 'alertmanager', number>,
    private readonly receiver: Server,
  ) {}

  /** @param targets the services' addresses by their names */
  static async start(targets: Record<string, string>, operationsKey: string): Promise<Monitoring> {
    const folder = await mkdtemp(join(tmpdir(), 'pillwatch-monitoring-'));
    const receiver = createServer();
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const ports = { prometheus: await freePort(), alertmanager: await freePort() };
    const monitoring = new Monitoring(folder, ports, receiver);
    monitoring.listen();
    await monitoring.configure(targets, operationsKey);
    await monitoring.run('alertmanager');
    await monitoring.run('prometheus');
    return monitoring;
  }

  /** Starts one of them, and waits until it is ready. */
  async run(name: 'prometheus' | 'alertmanager'): Promise<void> {
    const own =
      name === 'prometheus'
        ? [
            `--storage.tsdb.path=${join(this.folder, 'tsdb')}`,
            // by default a minute
            `--rules.alert.resend-delay=${Math.ceil(60_000 / FACTOR)}ms`,
          ]
        : [`--storage.path=${join(this.folder, 'alertmanager')}`, '--cluster.listen-address='];
    const command = name === 'prometheus' ? name : `prometheus-${name}`;
    const child = spawn(
      command,
      [
        `--config.file=${join(this.folder, `${name}.yaml`)}`,
        `--web.listen-address=127.0.0.1:${this.ports[name]}`,
        ...own,
      ],
      { stdio: 'ignore' },
    );
    let problem: Error | undefined;
    child.on('error', (error) => {
      problem = new Error(`${command} is needed for this test: apt-get install ${command}`, { cause: error });
    });
    this.children.set(name, child);
    await eventually(async () => {
      if (problem) return;
      const { ok } = await fetch(`http://127.0.0.1:${this.ports[name]}/-/ready`);
      if (!ok) throw new Error(`${command} is not ready`);
    });
    if (problem) throw problem;
  }

  async kill(name: 'prometheus' | 'alertmanager'): Promise<void> {
    const child = this.children.get(name)!;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  /** The names of the alerts that are pending or firing. */
  async active(): Promise<string[]> {
    const answer = await fetch(`http://127.0.0.1:${this.ports.prometheus}/api/v1/alerts`);
    const { data } = (await answer.json()) as { data: { alerts: Firing[] } };
    return data.alerts.map(({ labels }) => labels['alertname']!);
  }

  /** The services that answered Prometheus last time. */
  async up(): Promise<string[]> {
    const query = encodeURIComponent('up == 1');
    const answer = await fetch(`http://127.0.0.1:${this.ports.prometheus}/api/v1/query?query=${query}`);
    const { data } = (await answer.json()) as { data: { result: { metric: Record<string, string> }[] } };
    return data.result.map(({ metric }) => metric['service']!).sort();
  }

  async stop(): Promise<void> {
    for (const child of this.children.values()) child.kill('SIGKILL');
    this.receiver.closeAllConnections();
    this.receiver.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  private listen(): void {
    this.receiver.on('request', (request, response) => {
      void request.toArray().then((chunks) => {
        const { alerts } = JSON.parse(Buffer.concat(chunks as Buffer[]).toString()) as {
          alerts: (Firing & { status: string })[];
        };
        const receiver = request.url!.slice(1) as Notice['receiver'];
        for (const { status, labels, startsAt } of alerts)
          if (status === 'resolved') this.resolved.push(labels['alertname']!);
          else
            this.notices.push({
              receiver,
              name: labels['alertname']!,
              labels,
              at: Date.now(),
              startsAt: Date.parse(startsAt),
            });
        response.end();
      });
    });
  }

  private async configure(targets: Record<string, string>, operationsKey: string): Promise<void> {
    const { port } = this.receiver.address() as AddressInfo;
    const key = join(this.folder, 'operations-key');
    const write = (name: string, text: string): Promise<void> => writeFile(join(this.folder, name), text);
    let prometheus = faster(await readFile('ops/prometheus/prometheus.yaml', 'utf8'))
      // a watchdog runs
      .replace("# - { targets: ['watchdog", "- { targets: ['watchdog")
      .replace('alertmanager:9093', `127.0.0.1:${this.ports.alertmanager}`)
      .replace('/etc/prometheus/pillwatch-operations-key', key);
    for (const [service, address] of Object.entries(targets))
      prometheus = prometheus.replace(new RegExp(`'${service}:\\d+'`), `'${address}'`);
    await Promise.all([
      write('operations-key', operationsKey),
      write('prometheus.yaml', prometheus),
      write('alerts.yaml', faster(await readFile('ops/prometheus/alerts.yaml', 'utf8'))),
      write(
        'alertmanager.yaml',
        faster(await readFile('ops/alertmanager/alertmanager.yaml', 'utf8')).replace(
          /https:\/\/([\w-]+)\.example\.org\//g,
          (_, receiver: string) => `http://127.0.0.1:${port}/${receiver}`,
        ),
      ),
    ]);
  }
}
