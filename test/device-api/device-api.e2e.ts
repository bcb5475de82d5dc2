import './reports.cases.js';
import './groups.cases.js';
import './bad-input.cases.js';
import './odd-reports.cases.js';
import './service.cases.js';
import './tokens.cases.js';
import './gateways.cases.js';
