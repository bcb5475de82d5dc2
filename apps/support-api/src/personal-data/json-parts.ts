/** The fields of a JSON object: values, and lists that are read while they are written. */
export type Parts = Record<string, object | null | AsyncIterable<object>>;

/** Characters per chunk: one chunk per entry would be too expensive. */
const CHUNK_LENGTH = 64 * 1024;

/** Returns the text of an object in chunks. Its lists may be endless: one chunk is held at a time. */
export async function* jsonOf(parts: Parts): AsyncGenerator<string> {
  let chunk = '';
  for await (const text of texts(parts)) {
    chunk += text;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
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
