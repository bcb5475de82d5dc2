/** What a JSON object is made of: values, and lists that are read while they are written. */
export type Parts = Record<string, object | null | AsyncIterable<object>>;

/** Pieces of about so many characters: one for each entry would cost more than it holds. */
const PIECE = 64 * 1024;

/** The text of an object, in pieces. Its lists may be endless: one piece is held at a time. */
export async function* jsonOf(parts: Parts): AsyncGenerator<string> {
  let piece = '';
  for await (const text of texts(parts)) {
    piece += text;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

async function* texts(parts: Parts): AsyncGenerator<string> {
  let before = '{';
  for (const [name, value] of Object.entries(parts)) {
    yield `${before}${JSON.stringify(name)}:`;
    if (isList(value)) yield* listOf(value);
    else yield JSON.stringify(value);
    before = ',\n';
  }
  yield '}\n';
}

async function* listOf(entries: AsyncIterable<object>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const entry of entries) {
    yield before + JSON.stringify(entry);
    before = ',\n';
  }
  yield before === '[\n' ? '[]' : ']';
}

function isList(value: Parts[string]): value is AsyncIterable<object> {
  return value !== null && Symbol.asyncIterator in value;
}
