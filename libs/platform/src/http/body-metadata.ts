import type { Type } from '@nestjs/common';
import type { MetadataStorage } from 'class-transformer/types/MetadataStorage.js';
import { requireInternals } from '../packages/known-version.js';

/** class-transformer's `TransformationType.PLAIN_TO_CLASS`. */
const PLAIN_TO_CLASS = 0;

/** class-transformer does not export its metadata. */
const { defaultMetadataStorage: metadata } = requireInternals<{ defaultMetadataStorage: MetadataStorage }>(
  { name: 'class-transformer', known: ['0.5.1'], adapter: 'libs/platform/src/http/body-metadata.ts' },
  import.meta.url,
  'cjs/storage.js',
);

/** Whether class-transformer would change a body of this class, rather than copy it. */
export function isTransformed(type: Type<object>, fields: readonly string[]): boolean {
  // decorators of the class itself are stored under the name `undefined`
  return [...fields, undefined as never].some(
    (field) =>
      metadata.findTypeMetadata(type, field) !== undefined ||
      metadata.findExposeMetadata(type, field) !== undefined ||
      metadata.findExcludeMetadata(type, field) !== undefined ||
      metadata.findTransformMetadatas(type, field, PLAIN_TO_CLASS).length > 0,
  );
}
