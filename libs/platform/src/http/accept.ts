/**
 * The weights that a header such as `Accept` gives, by name in small letters (RFC 9110, 12.4.2): 0 to 1. Each header is
 * read once: it may have thousands of names.
 */
export function weightsIn(header: string | string[] | undefined): Map<string, number> {
  return new Map(
    String(header ?? '')
      .split(',')
      .map((part) => {
        const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
        const weight = parameters.find((each) => each.startsWith('q='))?.slice(2) ?? '1';
        return [name, /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 1] as const;
      }),
  );
}

/** The weight of the first of these names that a header has; 0 if it has none of them. */
export function weightIn(header: string | string[] | undefined, ...names: string[]): number {
  const weights = weightsIn(header);
  return names.map((name) => weights.get(name)).find((weight) => weight !== undefined) ?? 0;
}
