/** A signed path whose signature is certainly another; what two random characters at its end are may be the right ones. */
export function forged(path: string): string {
  return path.replace(/.{2}$/, (end) => (end === 'xx' ? 'yy' : 'xx'));
}
