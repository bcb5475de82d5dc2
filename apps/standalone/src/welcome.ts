import type { Services } from './services.js';

/** Where everything is, the admin key, and a line to try. */
export function addresses({ deviceApi, supportApi, notifier, adminToken }: Services): string {
  return [
    '',
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
