import './reports.cases.js';
import './groups.cases.js';
import './bad-input.cases.js';
