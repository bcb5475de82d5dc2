import swc from '@swc/jest';
import type { Options } from '@swc/core';
import type { PlantedFile } from './plant.js';

type Transformer = ReturnType<typeof swc.createTransformer>;
type Planted = Pick<PlantedFile, 'path' | 'source'>;

/** Jest's transform of the tests, which reads one file with a fault in it. */
export default {
  createTransformer({ planted, compiler }: { planted?: Planted; compiler: Options }): Transformer {
    const inner = swc.createTransformer(compiler);
    const read = (source: string, path: string): string => (path === planted?.path ? planted.source : source);
    return {
      ...inner,
      process: (source, path, options) => inner.process!(read(source, path), path, options),
      processAsync: (source, path, options) => inner.processAsync!(read(source, path), path, options),
      getCacheKey: (source, path, options) => inner.getCacheKey!(read(source, path), path, options),
    };
  },
};
