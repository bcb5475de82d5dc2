import { requireInternals } from '../../packages/known-version.js';
import type { MongodBinary, SourceContext } from '../mongod-binary.js';
import { addToCache } from './cache.js';

type Downloader = typeof import('mongodb-memory-server-core/lib/util/MongoBinaryDownload.js');

/** The package does not export its downloader. */
const DOWNLOADER = {
  name: 'mongodb-memory-server-core',
  known: ['11.3.0'],
  adapter: 'libs/platform/src/embedded-database/sources/official-download.ts',
};
/** Milliseconds without a byte, also while connecting, after which the download fails. */
const SILENCE = 5_000;

/**
 * MongoDB's own build for this system, as mongodb-memory-server resolves it (its MONGOMS_* settings apply), with three
 * differences: one attempt with a short timeout, the server's certificate and the archive's checksum are verified (the
 * package skips the certificate), and progress goes to the log.
 */
export async function downloadOfficial({ cacheDir, log }: SourceContext): Promise<MongodBinary> {
  // Loaded only here, so that a start that finds a mongod does not pay for it.
  const { DryMongoBinary } = await import('mongodb-memory-server-core');
  const { MongoBinaryDownload } = requireInternals<Downloader>(
    DOWNLOADER,
    import.meta.url,
    'lib/util/MongoBinaryDownload.js',
  );

  class Download extends MongoBinaryDownload {
    #lastTenth = 0;

    override httpDownload(...[url, options, to, temporary]: Parameters<MongoBinaryDownload['httpDownload']>) {
      const checked = { ...options, rejectUnauthorized: true, timeout: SILENCE };
      return super.httpDownload(url, checked, to, temporary, 1, 0, SILENCE);
    }

    override printDownloadProgress(chunk: { length: number }): void {
      this.dlProgress.current += chunk.length;
      const { current, length, totalMb } = this.dlProgress;
      const tenth = Math.floor((10 * current) / length);
      if (totalMb < 1 || tenth <= this.#lastTenth) return;
      this.#lastTenth = tenth;
      log(`downloading MongoDB ${this.binaryOpts.version}: ${tenth * 10}% of ${totalMb} MB`);
    }
  }
  type MongoBinaryDownload = InstanceType<typeof MongoBinaryDownload>;

  const system = await DryMongoBinary.generateOptions({ version: '' });
  return addToCache(cacheDir, `official-${system.version}`, (folder) =>
    new Download({ ...system, downloadDir: folder, checkMD5: true }).getMongodPath(),
  );
}
