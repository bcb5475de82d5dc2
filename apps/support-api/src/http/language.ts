import { type Language, LANGUAGES } from '#domain';
import { weightsIn } from '#platform';

/** The language that a browser asks for (RFC 9110, 12.5.4), of those that there are; English for others. */
export function languageOf(header: string | undefined): Language {
  const weights = [...weightsIn(header)];
  const weightOf = (language: Language): number =>
    Math.max(
      0,
      // `de-AT` is German
      ...weights.flatMap(([tag, weight]) => (tag.split('-', 1)[0] === language ? [weight] : [])),
    );
  return LANGUAGES.toSorted((one, other) => weightOf(other) - weightOf(one))[0]!;
}
