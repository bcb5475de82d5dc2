import './failing-endpoints.cases.js';
