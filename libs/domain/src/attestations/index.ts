export * from './attestation.js';
export * from './extra-after-statement.js';
