/**
 * Writes what is listed of the settings elsewhere from the classes that read them: the table of docs/settings.md, the
 * names that a start knows, the settings that docker-compose.yml passes on, and of ops/helm the secrets in values.yaml and
 * what values.schema.json admits. A setting's docstring is its meaning in the table; `@secret` marks a secret. `--check`
 * fails if a file is not that of the code.
 */
import { readFileSync } from 'node:fs';
import { format } from 'oxfmt';
import ts from 'typescript';
import { classIn, writeOrCheck } from './from-code.mjs';

/** The classes of the services, and where they are. What they extend is among them. */
const CLASSES = {
  DatabaseConfig: 'libs/platform/src/config/database.config.ts',
  ServiceConfig: 'libs/platform/src/config/service.config.ts',
  OperatorConfig: 'libs/platform/src/config/operator.config.ts',
  DeviceApiConfig: 'apps/device-api/src/config.ts',
  NotifierConfig: 'apps/notifier/src/config.ts',
  SupportApiConfig: 'apps/support-api/src/config.ts',
  WatchdogConfig: 'apps/watchdog/src/config.ts',
  StandaloneConfig: 'apps/standalone/src/config.ts',
};
/** @type {Record<string, keyof typeof CLASSES>} */
const SERVICES = {
  'device-api': 'DeviceApiConfig',
  notifier: 'NotifierConfig',
  'support-api': 'SupportApiConfig',
  watchdog: 'WatchdogConfig',
  '`npm start`, demo': 'StandaloneConfig',
};
const WITH_DATABASE = Object.keys(SERVICES).slice(0, 3);
const IN_CONTAINERS = Object.keys(SERVICES).slice(0, 4);

/** @typedef {{ name: string, value: string, meaning: string, isSecret: boolean }} Setting */

/** The settings that a class declares, and those of the class that it extends. @param {string} name @returns {Setting[]} */
function settingsOf(name) {
  const found = classIn(CLASSES[/** @type {keyof typeof CLASSES} */ (name)], name);
  const base = found.heritageClauses?.[0]?.types[0]?.expression.getText();
  const own = found.members.filter(ts.isPropertyDeclaration).map((member) => ({
    name: member.name.getText(),
    value: valueOf(member.initializer),
    meaning: (ts.getTextOfJSDocComment(ts.getJSDocCommentsAndTags(member)[0]?.comment) ?? '').replaceAll(
      '\n',
      ' ',
    ),
    isSecret: ts.getJSDocTags(member).some(({ tagName }) => tagName.text === 'secret'),
  }));
  return [...(base ? settingsOf(base) : []), ...own];
}

/** A default as the environment would have it. @param {ts.Expression | undefined} node @returns {string} */
function valueOf(node) {
  if (!node || (ts.isArrayLiteralExpression(node) && node.elements.length === 0)) return 'none';
  if (ts.isCallExpression(node)) return valueOf(node.arguments[0]); // ms('5m')
  if (ts.isStringLiteral(node) || ts.isNumericLiteral(node)) return `\`${node.text}\``;
  const [, times, seconds] = /^\{ times: ([\d_]+), seconds: (\d+) \}$/.exec(node.getText()) ?? [];
  const unit = { 1: 's', 60: 'm', 3600: 'h' }[Number(seconds)];
  if (times && unit) return `\`${times.replaceAll('_', '')}/${unit}\``;
  if (/^(true|false)$/.test(node.getText())) return `\`${node.getText()}\``;
  throw new Error(`write the default ${node.getText()} as a literal`);
}

const settings = new Map(Object.entries(SERVICES).map(([service, name]) => [service, settingsOf(name)]));
const all = [...settings.values()].flat();
const shared = settingsOf('ServiceConfig').map(({ name }) => name);

/** The services that have a setting; the standalone form only where it is the only one. @param {string} name */
function readersOf(name) {
  const readers = [...settings.keys()].filter((service) =>
    settings.get(service)?.some((one) => one.name === name),
  );
  const services = readers.filter((service) => IN_CONTAINERS.includes(service));
  if (services.length === 0) return readers;
  const others = services.filter((service) => !WITH_DATABASE.includes(service));
  return others.length === services.length - WITH_DATABASE.length ? ['all', ...others] : services;
}

/** The table, in place of the old one. @param {string} text */
function document(text) {
  const rows = new Map(all.toReversed().flatMap((one) => (one.meaning ? [[one.name, one]] : [])));
  const names = [...new Set(all.map(({ name }) => name))];
  const lines = names.map((name) => {
    const setting = rows.get(name);
    if (!setting) throw new Error(`${name} has no docstring`);
    return `| \`${name}\` | ${readersOf(name).join(', ')} | ${setting.value} | ${setting.meaning} |\n`;
  });
  return text.replace(
    /^(?:\|.*\n)+/m,
    () => `| name | of | default | meaning |\n| --- | --- | --- | --- |\n${lines.join('')}`,
  );
}

/** The services' settings, which compose passes on where they are set. @param {string} text */
function passOn(text) {
  const before = passOnIn(text, /^x-settings: .*\n/, shared);
  return IN_CONTAINERS.reduce((written, service) => {
    const names = (settings.get(service) ?? []).map(({ name }) => name);
    const own = WITH_DATABASE.includes(service) ? names.filter((name) => !shared.includes(name)) : names;
    return passOnIn(written, new RegExp(`^  ${service}:\\n(?:    .*\\n)*?    environment:\\n`), own);
  }, before);
}

/**
 * Writes the lines without a value, such as `  WEBHOOK_URL:`, of the mapping that begins with the head.
 *
 * @param {string} text @param {RegExp} head @param {string[]} names
 */
function passOnIn(text, head, names) {
  const begin = new RegExp(head, 'm').exec(text);
  if (!begin) throw new Error(`docker-compose.yml has no ${head}`);
  const from = begin.index + begin[0].length;
  const [mapping = '', indent = ''] = /^( +)\S.*\n(?:\1.*\n)*/.exec(text.slice(from)) ?? [];
  const lines = mapping.trimEnd().split('\n');
  const nameIn = (/** @type {string} */ line) => /^\s+([A-Z_]+):/.exec(line)?.[1] ?? '';
  const kept = lines.filter((line) => {
    const isStale = all.some(({ name }) => name === nameIn(line)) && !names.includes(nameIn(line));
    return !isStale || !line.endsWith(':');
  });
  const missing = names.filter((name) => !kept.some((line) => nameIn(line) === name));
  const written = [...kept, ...missing.map((name) => `${indent}${name}:`)].join('\n');
  return `${text.slice(0, from)}${written}\n${text.slice(from + mapping.length)}`;
}

/** The secrets that a service may do without: all that are not among those that it needs. @param {string} text */
function nameSecrets(text) {
  return IN_CONTAINERS.reduce((written, service) => {
    const secrets = (settings.get(service) ?? []).filter(({ isSecret }) => isSecret).map(({ name }) => name);
    const list = new RegExp(
      `(\\n  ${service}:\\n(?:    .*\\n)*?    secrets: \\[(.*)\\]\\n    optionalSecrets: \\[).*\\]`,
    );
    return written.replace(list, (_all, head, needed) => {
      const optional = secrets.filter((name) => !needed.split(', ').includes(name));
      return `${head}${optional.sort((one, other) => one.localeCompare(other)).join(', ')}]`;
    });
  }, text);
}

/** All that a service takes, so that it can name what none does. */
function names() {
  const list = [...new Set(all.map(({ name }) => `  '${name}',\n`))].sort().join('');
  return `/** The settings of all services; written by scripts/settings.mjs. */\nexport const SETTING_NAMES: readonly string[] = [\n${list}];\n`;
}

/** Settings of others that a service's environment may have, too: of tracing, and of Node. */
const OF_OTHERS = '(OTEL|NODE)_[A-Z_]+';

/** What the chart's values may have, and nothing else: helm refuses what this does not know. */
function chartSchema() {
  const text = { type: 'string' };
  const flag = { type: 'boolean' };
  const anything = { type: 'object' };
  const scalar = { type: ['string', 'number', 'boolean'] };
  /** @param {Record<string, object>} properties */
  const closed = (properties) => ({ type: 'object', additionalProperties: false, properties });
  /** @param {string[]} names */
  const values = (names) => ({
    ...closed(Object.fromEntries(names.map((name) => [name, scalar]))),
    patternProperties: { [`^${OF_OTHERS}$`]: scalar },
  });
  /** @param {string[]} names */
  const keys = (names) => ({
    type: 'array',
    items: { type: 'string', pattern: `^(${[...names, OF_OTHERS].join('|')})$` },
  });
  const services = IN_CONTAINERS.map((service) => {
    const names = (settings.get(service) ?? []).map(({ name }) => name);
    const schema = closed({
      replicas: { type: 'integer', minimum: 0 },
      port: { type: 'integer', minimum: 1, maximum: 65_535 },
      portSetting: { enum: [`${service.replace('-', '_').toUpperCase()}_PORT`] },
      ...(!WITH_DATABASE.includes(service) && { withoutDatabase: flag }),
      settings: values(names),
      secrets: keys(names),
      optionalSecrets: keys(names),
      resources: anything,
    });
    return [service, schema];
  });
  const inContainers = IN_CONTAINERS.flatMap((service) => settings.get(service) ?? []);
  const schema = closed({
    image: closed({ repository: text, tag: text, pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] } }),
    secretName: text,
    settings: values([...new Set(inContainers.map(({ name }) => name))]),
    services: closed(Object.fromEntries(services)),
    erasures: closed({
      enabled: flag,
      accessModes: { type: 'array', items: text },
      storageClassName: text,
      size: text,
    }),
    migration: closed({ resources: anything }),
    // of a chart that has this one as a part
    global: anything,
  });
  return JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema });
}

/** @type {[string, (text: string) => string][]} */
const FILES = [
  ['docs/settings.md', document],
  ['libs/platform/src/config/setting-names.ts', names],
  ['docker-compose.yml', passOn],
  ['ops/helm/values.yaml', nameSecrets],
  ['ops/helm/values.schema.json', chartSchema],
];
for (const [file, write] of FILES) {
  const old = readFileSync(file, 'utf8');
  const text = /\.(md|json)$/.test(file) ? (await format(file, write(old))).code : write(old);
  writeOrCheck(file, text);
}
