import type { KeptSecret } from './kept-secret.js';
import type { Services } from './services.js';

/**
 * The addresses of all services, a login, the admin key, and commands to try. A secret is printed when it is made,
 * and later only the name of its file.
 *
 * @param console its address, if support-api does not serve it.
 */
export function addresses(
  { deviceApi, supportApi, notifier, adminKey, operationsKey, login, secondFactor }: Services,
  console = supportApi,
): string {
  const key = adminKey.file === undefined ? '$ADMIN_TOKEN' : `$(cat ${adminKey.file})`;
  return [
    '',
    `  console      ${console}${login ? `   sign in as ${login.email}` : ''}`,
    ...(login ? [`  password     ${shown(login.password)}`] : []),
    `  second factor: ${secondFactor === 'off' ? 'off, nobody is asked for one' : 'an authenticator app, set up at the first sign-in'}`,
    `  device-api   ${deviceApi}   (API description: ${deviceApi}/docs)`,
    `  support-api  ${supportApi}   (API description: ${supportApi}/docs)`,
    `  notifier     ${notifier}   (${notifier}/metrics)`,
    `  admin key    ${adminKey.file === undefined ? 'as ADMIN_TOKEN says' : shown(adminKey)}`,
    ...(operationsKey ? [`  password of /docs and /metrics: ${shown(operationsKey)}`] : []),
    '',
    '  Try:',
    `    curl -s -H "authorization: Bearer ${key}" ${supportApi}/v1/fleet`,
    `    curl -s -H "authorization: Bearer ${key}" ${supportApi}/v1/alerts`,
    '',
  ].join('\n');
}

function shown({ value, file, isNew }: KeptSecret): string {
  return isNew ? `${value}   (shown this once; kept in ${file})` : `in ${file}`;
}
