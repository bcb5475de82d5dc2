/** A chosen file as text. */
export interface DecodedFile {
  text: string;
  /** It was not in UTF-8, and was read as older versions of Excel write it. */
  isWindows1252: boolean;
}

/** Reads a file in UTF-8, UTF-16 that begins with its byte order mark, or else in Windows-1252. */
export function decodeFile(bytes: ArrayBuffer): DecodedFile {
  const [first, second] = new Uint8Array(bytes);
  const utf16 =
    first === 0xff && second === 0xfe
      ? 'utf-16le'
      : first === 0xfe && second === 0xff
        ? 'utf-16be'
        : undefined;
  try {
    return { text: new TextDecoder(utf16 ?? 'utf-8', { fatal: true }).decode(bytes), isWindows1252: false };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), isWindows1252: true };
  }
}
