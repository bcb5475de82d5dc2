export { makePrivate } from './data-folder.js';
export { runningDatabaseUri, startEmbeddedDatabase } from './embedded-database.js';
export type { EmbeddedDatabase, EmbeddedDatabaseOptions } from './embedded-database.js';
export { findMongod } from './find-mongod.js';
export type { FindMongodOptions } from './find-mongod.js';
