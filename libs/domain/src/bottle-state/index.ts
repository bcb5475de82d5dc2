export * from './bottle-state.js';
export * from './deadlines.js';
export * from './on-checks.js';
export * from './on-reports.js';
export * from './report-problems.js';
