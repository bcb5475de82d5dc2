import { requireInternals, UnknownVersionError } from './known-version.js';

const ADAPTER = 'libs/platform/src/http/body-metadata.ts';
const PATH = 'cjs/storage.js';

const load = (known: string[]) =>
  requireInternals<object>({ name: 'class-transformer', known, adapter: ADAPTER }, import.meta.url, PATH);

describe('requireInternals', () => {
  it('loads a private module of a known version', () => {
    expect(load(['0.5.1'])).toHaveProperty('defaultMetadataStorage');
  });

  it('refuses a version that the adapter was not checked with, and says what to do', () => {
    expect(() => load(['0.4.0', '0.5.0'])).toThrow(UnknownVersionError);
    expect(() => load(['0.4.0', '0.5.0'])).toThrow(
      `class-transformer 0.5.1 is installed, but ${ADAPTER} uses internals of class-transformer and was checked ` +
        'with 0.4.0, 0.5.0 only. Install one of these, or check the adapter and add the version to it.',
    );
  });
});
