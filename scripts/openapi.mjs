/**
 * Writes what follows from the routes and their classes: docs/openapi/*.json and, from support-api's, the console's types
 * in apps/console/src/api/schema.ts. It reads the sources, and needs neither a build nor a database. `--check` fails if
 * a file is not that of the code.
 */
import { mkdirSync } from 'node:fs';
import { register } from 'node:module';
import openapiTypes, { astToString } from 'openapi-typescript';
import { writeOrCheck } from './from-code.mjs';

register('../test/support/typescript-hooks.mjs', import.meta.url);
const { documents } = await import('../tools/openapi/documents.ts');

mkdirSync('docs/openapi', { recursive: true });
const all = await documents();
for (const [name, document] of Object.entries(all))
  writeOrCheck(`docs/openapi/${name}.json`, `${JSON.stringify(document, null, 2)}\n`);

// the console calls by address: it needs what is sent and what comes, not 97 operations with their refusals
const { components, ...support } = all['support-api'];
const types = await openapiTypes(
  { ...support, paths: {}, webhooks: {}, components: { schemas: components.schemas } },
  {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    alphabetize: true,
    enumValues: true,
  },
);
writeOrCheck('apps/console/src/api/schema.ts', astToString(types));
