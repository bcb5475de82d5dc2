export * from './attestation.js';
