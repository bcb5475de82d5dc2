import type { Services } from './services.js';

/**
 * The addresses of all services, a login, the admin key, and commands to try.
 *
 * @param console its address, if support-api does not serve it.
 */
export function addresses(
  { deviceApi, supportApi, notifier, adminToken, login }: Services,
  console = supportApi,
): string {
  return [
    '',
    ...(login
      ? [`  console      ${console}   sign in as ${login.email} with ${login.password}`]
      : [`  console      ${console}`]),
    `  device-api   ${deviceApi}   (API description: ${deviceApi}/docs)`,
    `  support-api  ${supportApi}   (API description: ${supportApi}/docs)`,
    `  notifier     ${notifier}   (${notifier}/metrics)`,
    `  admin key    ${adminToken}`,
    '',
    '  Try:',
    `    curl -s -H 'authorization: Bearer ${adminToken}' ${supportApi}/v1/fleet`,
    `    curl -s -H 'authorization: Bearer ${adminToken}' ${supportApi}/v1/alerts`,
    '',
  ].join('\n');
}
