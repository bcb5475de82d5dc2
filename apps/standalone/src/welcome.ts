import type { Services } from './services.js';

/** Where everything is, how to sign in, the admin key, and a line to try. */
export function addresses({ deviceApi, supportApi, notifier, adminToken, login }: Services): string {
  return [
    '',
    ...(login
      ? [`  console      ${supportApi}   sign in as ${login.email} with ${login.password}`]
      : [`  console      ${supportApi}`]),
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
