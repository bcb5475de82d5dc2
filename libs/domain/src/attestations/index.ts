export * from './attestation.js';
export * from './extra-after-statement.js';
export * from './removed-for-later.js';
export * from './rest-from-bottle.js';
