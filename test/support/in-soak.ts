declare global {
  // oxlint-disable-next-line no-var -- a property of globalThis, which jest.config.mjs sets for the project `soak`
  var IN_SOAK: boolean | undefined;
}

/** How much a `*.e2e.soak.ts` file does: `long` in `npm run test:soak`, `short` in `npm test`. */
export function soakOr<T>(long: T, short: T): T {
  return globalThis.IN_SOAK ? long : short;
}
