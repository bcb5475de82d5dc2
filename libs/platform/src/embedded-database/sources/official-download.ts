import { requireInternals } from '../../packages/known-version.js';
import type { SourceContext } from '../find-mongod.js';
import type { MongodBinary } from '../mongod-binary.js';
import { addToCache } from './cache.js';

type Downloader = typeof import('mongodb-memory-server-core/lib/util/MongoBinaryDownload.js');

/** The package does not export its downloader. */
const DOWNLOADER = {
  name: 'mongodb-memory-server-core',
  known: ['11.3.0'],
  adapter: 'libs/platform/src/embedded-database/sources/official-download.ts',
};
/** Milliseconds without a byte, while connecting too, after which there is no way out to the internet. */
const SILENCE = 5_000;

/**
 * MongoDB's own build for this system, as mongodb-memory-server resolves it (its MONGOMS_* settings hold),
 * with three differences: one try with a short timeout, the server's certificate is checked (the package
 * leaves that off) and so is the archive's checksum, and progress goes to the log.
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
