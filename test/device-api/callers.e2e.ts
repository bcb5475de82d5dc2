import './service.cases.js';
import './tokens.cases.js';
import './gateways.cases.js';
