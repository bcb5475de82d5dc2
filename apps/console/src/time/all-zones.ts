/** Every zone that the browser knows, by its IANA name. */
export const ZONES: string[] = [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
];
