/**
 * The weight that an `Accept` or `Accept-Encoding` header gives to the first of these names that it has (RFC 9110,
 * 12.4.2): 0 to 1, and 0 if it has none of them.
 */
export function weightIn(header: string | string[] | undefined, ...names: string[]): number {
  const weights = new Map(
    String(header ?? '')
      .split(',')
      .map((part) => {
        const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
        const weight = parameters.find((each) => each.startsWith('q='))?.slice(2) ?? '1';
        return [name, /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 1] as const;
      }),
  );
  return names.map((name) => weights.get(name)).find((weight) => weight !== undefined) ?? 0;
}
