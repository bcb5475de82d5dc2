import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { join } from 'node:path';
import supertest from 'supertest';
import { newDatabase, type TestDatabase } from '../../tools/harness/database.js';
import {
  registerBottle,
  startDeviceApi,
  startNotifier,
  startSupportApi,
} from '../../tools/harness/services.js';

/** How to get what the tests need; `.ci/run` does it. */
const INSTALL = {
  promtool: 'apt-get install prometheus',
  amtool: 'apt-get install prometheus-alertmanager',
  helm: 'go install helm.sh/helm/v3/cmd/helm@v3.14.4',
  'systemd-analyze': 'apt-get install systemd',
} as const;

const DASHBOARDS = readdirSync('ops/grafana').map((file) => join('ops/grafana', file));
const UNITS = readdirSync('ops/systemd').map((file) => join('ops/systemd', file));
const RULES = 'ops/prometheus/alerts.yaml';

/** Runs a tool. @throws if it is missing: a check that is left out proves nothing. */
function run(tool: keyof typeof INSTALL, args: string[], input?: string): { code: number; output: string } {
  const { error, status, stdout, stderr } = spawnSync(tool, args, { encoding: 'utf8', input });
  if (error) throw new Error(`${tool} is needed for this test: ${INSTALL[tool]}`, { cause: error });
  return { code: status!, output: stdout + stderr };
}

function expectToPass(tool: keyof typeof INSTALL, args: string[]): string {
  const { code, output } = run(tool, args);
  if (code !== 0) throw new Error(`${[tool, ...args].join(' ')} exits with ${code}:\n${output}`);
  return output;
}

/** The names of our metrics in a text. */
function metricsIn(text: string): string[] {
  const names = text.match(/\b(?:pillwatch|nodejs|process)_\w+/g) ?? [];
  return [...new Set(names)].sort();
}

const expressionsOf = (dashboard: string): string[] =>
  [...readFileSync(dashboard, 'utf8').matchAll(/"expr": (".*")/g)].map(
    ([, text]) => JSON.parse(text!) as string,
  );

/** The samples of a gauge with one label, by the label. */
const samplesOf = (text: string, gauge: string): Record<string, number> =>
  Object.fromEntries(
    [...text.matchAll(new RegExp(`^${gauge}\\{\\w+="([^"]+)"\\} (\\S+)$`, 'gm'))].map(([, label, value]) => [
      label!,
      Number(value),
    ]),
  );

interface Schema {
  properties?: Record<string, Schema>;
  patternProperties?: object;
}

/** The names of all values that a schema of the chart knows, without those of settings. */
const namesIn = ({ properties = {}, patternProperties }: Schema): string[] =>
  patternProperties ? [] : Object.entries(properties).flatMap(([name, within]) => [name, ...namesIn(within)]);

describe('the metrics', () => {
  const services: NestFastifyApplication[] = [];
  let database: TestDatabase;
  const texts: string[] = [];

  beforeAll(async () => {
    database = await newDatabase('kit');
    const device = await startDeviceApi(database.uri);
    const support = await startSupportApi(database.uri);
    const notifier = await startNotifier(database.uri);
    const scheduled = await startNotifier(database.uri, undefined, {}, { jobs: true });
    services.push(device, support, notifier.app, scheduled.app);
    const bottle = await registerBottle(support, device);
    await bottle.post('/v1/heartbeats').expect(204);
    await notifier.reconcile.run();
    // the outbox has an age only while something is due
    const channel = 'webhook';
    await database.db.collection('deliveries').insertOne({ channel, next_attempt_at: new Date(0) });
    for (const app of services)
      texts.push((await supertest(app.getHttpServer()).get('/metrics').expect(200)).text);
  });
  afterAll(async () => {
    await Promise.all(services.map((app) => app.close()));
    await database?.drop();
  });

  it('pass promtool check metrics', () => {
    for (const text of texts) {
      const { output } = run('promtool', ['check', 'metrics'], text);
      // prom-client names some of its own metrics in its own way
      expect(output.split('\n').filter((line) => line.startsWith('pillwatch_'))).toEqual([]);
    }
  });

  it('include those that the rules and dashboards use', () => {
    const watchdog = readFileSync('apps/watchdog/src/watchdog.service.ts', 'utf8');
    const declared = [
      ...texts.flatMap((text) => text.match(/(?<=^# TYPE )\w+/gm) ?? []),
      // of the watchdog, which does not run here
      ...metricsIn(watchdog),
    ];
    // a histogram without observations has no samples
    const served = new Set(declared.flatMap((name) => [name, `${name}_bucket`, `${name}_count`]));
    const used = metricsIn([readFileSync(RULES, 'utf8'), ...DASHBOARDS.flatMap(expressionsOf)].join('\n'));
    expect(used.length).toBeGreaterThan(15);
    expect(used.filter((name) => !served.has(name))).toEqual([]);
  });

  it('have every job from the start, and the tests of the rules have every interval', () => {
    const intervals = samplesOf(texts.at(-1)!, 'pillwatch_job_interval_seconds');
    expect(Object.keys(intervals)).toContain('check-doses');
    const finished = samplesOf(texts.at(-1)!, 'pillwatch_job_last_finished_timestamp_seconds');
    expect(Object.keys(finished)).toEqual(Object.keys(intervals));
    expect(Math.min(...Object.values(finished))).toBeGreaterThan(0);
    const [, test] = /- name: every job ends at its own interval\n([^]*?)\n  - name: /.exec(
      readFileSync('ops/prometheus/alerts.test.yaml', 'utf8'),
    )!;
    const tested = [...test!.matchAll(/_interval_seconds\{exported_job="(.*)"\}'\n\s+values: '(\d+)x/g)];
    expect(Object.fromEntries(tested.map(([, job, seconds]) => [job!, Number(seconds)]))).toEqual(
      Object.fromEntries(tested.map(([, job]) => [job!, intervals[job!]])),
    );
    expect(new Set(tested.map(([, , seconds]) => Number(seconds)))).toEqual(
      new Set(Object.values(intervals)),
    );
  });
});

describe('the operator’s kit', () => {
  it('has alert rules that fire when they should, and only then', () => {
    expectToPass('promtool', ['check', 'rules', RULES]);
    expectToPass('promtool', ['test', 'rules', 'ops/prometheus/alerts.test.yaml']);
    const alerts = (file: string): string[] =>
      [...readFileSync(file, 'utf8').matchAll(/- alert(?:name)?: (\w+)/g)].map(([, name]) => name!);
    const tested = new Set(alerts('ops/prometheus/alerts.test.yaml'));
    expect(alerts(RULES).filter((name) => !tested.has(name))).toEqual([]);
  });

  it('has a configuration of Prometheus', () => {
    const file = 'ops/prometheus/prometheus.yaml';
    expectToPass('promtool', ['check', 'config', '--syntax-only', file]);
    const scraped = (text: string): string[] =>
      [...text.matchAll(/^ *- \{ targets: .*service: ([\w-]+)/gm)].map(([, service]) => service!);
    // without a watchdog its target would be down, and page, for ever
    const shipped = readFileSync(file, 'utf8');
    expect(scraped(shipped)).toEqual(['device-api', 'support-api', 'notifier']);
    const withWatchdog = shipped.replace(/# (- \{ targets: )/, '$1');
    expect(scraped(withWatchdog)).toEqual(['device-api', 'support-api', 'notifier', 'watchdog']);
    const uncommented = join(mkdtempSync(join(tmpdir(), 'pillwatch-kit-')), 'prometheus.yaml');
    writeFileSync(uncommented, withWatchdog);
    expectToPass('promtool', ['check', 'config', '--syntax-only', uncommented]);
  });

  it.each(DASHBOARDS)('%s is a dashboard whose expressions Prometheus can read', (file) => {
    const { title, panels } = JSON.parse(readFileSync(file, 'utf8')) as { title: string; panels: unknown[] };
    expect(title).toMatch(/^Pillwatch: /);
    const expressions = expressionsOf(file);
    expect(expressions.length).toBeGreaterThanOrEqual(panels.length);
    // as rules, since promtool reads no dashboards
    const rules = expressions.map((expr, index) => ({ record: `panel:${index}`, expr }));
    const asRules = join(mkdtempSync(join(tmpdir(), 'pillwatch-kit-')), 'rules.json');
    writeFileSync(asRules, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    const parsed = expectToPass('promtool', ['check', 'rules', asRules]);
    expect(parsed).toContain(`${expressions.length} rules found`);
  });

  it.each([
    ['heartbeat', 'dead-mans-switch'],
    ['page', 'pager'],
    ['ticket', 'tickets'],
  ])('routes alerts of severity %s to %s', (severity, receiver) => {
    const file = 'ops/alertmanager/alertmanager.yaml';
    expectToPass('amtool', ['check-config', file]);
    const routed = expectToPass('amtool', [
      'config',
      'routes',
      'test',
      `--config.file=${file}`,
      `severity=${severity}`,
    ]);
    expect(routed.split('\n')).toContain(receiver);
  });

  it('suppresses alerts that it names, and never a heartbeat', () => {
    const text = readFileSync('ops/alertmanager/alertmanager.yaml', 'utf8');
    const [inhibition] = /^inhibit_rules:$[^]*?(?=^\S)/m.exec(text.slice(text.indexOf('inhibit_rules')))!;
    const named = inhibition.match(/\bPillwatch[\w.]*/g)!;
    const rules = readFileSync(RULES, 'utf8');
    const severities = new Map(
      [...rules.matchAll(/- alert: (\w+)[^]*?severity: (\w+)/g)].map(([, name, severity]) => [
        name!,
        severity!,
      ]),
    );
    expect(named.filter((name) => !['page', 'ticket'].includes(severities.get(name)!))).toEqual([]);
  });

  it('has units that systemd accepts', () => {
    expect(run('systemd-analyze', ['verify', ...UNITS])).toEqual({ code: 0, output: '' });
  });

  it('has a Helm chart with probes, disruption budgets, secrets by reference and one migration', () => {
    expectToPass('helm', ['lint', '--strict', 'ops/helm']);
    const manifests = expectToPass('helm', ['template', 'release', 'ops/helm']).split(/^---$/m);
    const ofKind = (kind: string): string[] =>
      manifests.filter((manifest) => new RegExp(`^kind: ${kind}$`, 'm').test(manifest));
    const deployments = ofKind('Deployment');
    expect(deployments).toHaveLength(3);
    for (const deployment of deployments) {
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
        expect(deployment).toContain(probe);
      // Services of others in the namespace would otherwise be settings, such as NOTIFIER_PORT=tcp://…
      expect(deployment).toContain('enableServiceLinks: false');
      expect(deployment).toMatch(/name: MONGODB_URI\n\s+valueFrom: \{ secretKeyRef: /);
    }
    expect(ofKind('PodDisruptionBudget')).toHaveLength(3);
    expect(ofKind('Job')).toHaveLength(1);
    expect(ofKind('Secret')).toEqual([]);
  });

  it('has a chart that refuses unknown values and settings, and names them', () => {
    const outputOf = (value: string): string => {
      const { code, output } = run('helm', ['template', 'r', 'ops/helm', '--set', value]);
      return code === 0 ? 'taken' : output;
    };
    for (const [unknown, named] of [
      ['replicas=3', 'replicas'],
      ['image.repo=x', 'repo'],
      ['service.notifier.replicas=1', 'service'],
      ['services.notifyer.replicas=1', 'notifyer'],
      ['services.notifier.replica=1', 'replica'],
      ['services.notifier.settings.CLEAR_DELAYS=1h', 'CLEAR_DELAYS'],
      ['services.device-api.settings.CLEAR_DELAY=1h', 'CLEAR_DELAY'],
      ['settings.OPEN_BOTLE_AFTER=5m', 'OPEN_BOTLE_AFTER'],
    ] as const)
      expect(outputOf(unknown)).toContain(`Additional property ${named} is not allowed`);
    for (const wrong of ['services.notifier.optionalSecrets={SMTP_URI}', 'services.notifier.replicas=many'])
      expect(outputOf(wrong)).toContain("values don't meet the specifications");
    for (const known of [
      'settings.OPEN_BOTTLE_AFTER=5m',
      'services.notifier.settings.LOW_SUPPLY_DAYS=5',
      'services.notifier.settings.WEBHOOK_ALLOW_PRIVATE=true',
      'settings.OTEL_TRACES_SAMPLER=traceidratio',
      'services.support-api.settings.NODE_OPTIONS=--max-old-space-size=300',
      'services.notifier.optionalSecrets={SMTP_URL,OTEL_EXPORTER_OTLP_HEADERS}',
      'services.notifier.resources.limits.cpu=2',
      'global.of=another-chart',
    ])
      expect(outputOf(known)).toBe('taken');
  });

  it('has a chart whose schema knows no value that the chart does not have', () => {
    const schema = JSON.parse(readFileSync('ops/helm/values.schema.json', 'utf8')) as Schema;
    const values = readFileSync('ops/helm/values.yaml', 'utf8');
    const { global: _, ...properties } = schema.properties!;
    expect(namesIn({ properties }).filter((name) => !new RegExp(`^ *${name}:`, 'm').test(values))).toEqual(
      [],
    );
  });

  it('has a place for the list of erasures, which outlasts a container', () => {
    const set = ['template', 'r', 'ops/helm', '--set', 'erasures.enabled=true'];
    expectToPass('helm', ['lint', '--strict', 'ops/helm', '--set', 'erasures.enabled=true']);
    const manifests = expectToPass('helm', set).split(/^---$/m);
    const withFile = manifests.filter((one) => one.includes('name: ERASURES_FILE'));
    expect(withFile).toHaveLength(1);
    expect(withFile[0]).toContain('claimName: r-erasures');
    expect(withFile[0]).toContain('mountPath: /var/lib/pillwatch');
    expect(manifests.filter((one) => /^kind: PersistentVolumeClaim$/m.test(one))).toHaveLength(1);
    const unit = readFileSync('ops/systemd/pillwatch-support-api.service', 'utf8');
    expect(unit).toMatch(/^StateDirectory=pillwatch\nEnvironment=ERASURES_FILE=\/var\/lib\/pillwatch\//m);
    expect(readFileSync('docker-compose.yml', 'utf8')).toContain('- erasures:/var/lib/pillwatch');
  });

  it('lets Prometheus find every pod, by the headless Services of the chart', () => {
    const file = 'ops/prometheus/kubernetes.yaml';
    expectToPass('promtool', ['check', 'config', '--syntax-only', file]);
    const scraped = [...readFileSync(file, 'utf8').matchAll(/names: \[(\S+)\], type: A, port: (\d+)/g)];
    const all = ['template', 'pillwatch', 'ops/helm', '--set', 'services.watchdog.replicas=1'];
    const manifests = expectToPass('helm', all).split(/^---$/m);
    const headless = manifests.filter((one) => one.includes('clusterIP: None'));
    const pods = headless.map(
      (one) => `${/^  name: (\S+)$/m.exec(one)![1]}:${/\{ name: http, port: (\d+), /.exec(one)![1]}`,
    );
    expect(pods).toHaveLength(4);
    expect(new Set(scraped.map(([, name, port]) => `${name}:${port}`))).toEqual(new Set(pods));
  });

  it('runs a watchdog that does not know the database, if asked to', () => {
    const output = expectToPass('helm', [
      'template',
      'r',
      'ops/helm',
      '--set',
      'services.watchdog.replicas=1',
    ]);
    const watchdog = output.split(/^---$/m).filter((one) => one.includes('apps/watchdog/src/main.js'));
    expect(watchdog).toHaveLength(1);
    expect(watchdog[0]).toContain('name: WATCHDOG_PING_URL');
    expect(watchdog[0]).not.toContain('MONGODB_URI');
    expect(output).not.toContain('name: smtp');
  });

  it('takes the canary’s mails at port 25, if asked to', () => {
    const settings = 'services.watchdog.replicas=1,services.watchdog.settings.WATCHDOG_SMTP_PORT=3025';
    const output = expectToPass('helm', ['template', 'r', 'ops/helm', '--set', settings]);
    expect(output).toContain('{ name: smtp, containerPort: 3025 }');
    expect(output.match(/\{ name: smtp, port: 25, targetPort: smtp \}/g)).toHaveLength(1);
    expect(output).toMatch(/name: WATCHDOG_SMTP_PORT\n\s+value: "3025"/);
  });

  it('gives the services whole numbers of a values file as they are', () => {
    // as of a values file: --set would make it an integer
    const json = 'services.device-api.settings.QUEUE_LIMIT=2000000';
    const output = expectToPass('helm', ['template', 'r', 'ops/helm', '--set-json', json]);
    expect(output).toMatch(/name: QUEUE_LIMIT\n\s+value: "2000000"/);
  });

  it('leaves a disruption budget out where one pod is all there is', () => {
    const output = expectToPass('helm', [
      'template',
      'r',
      'ops/helm',
      '--set',
      'services.notifier.replicas=1',
    ]);
    expect(output.match(/^kind: PodDisruptionBudget$/gm)).toHaveLength(2);
  });
});
