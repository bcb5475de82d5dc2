import './identity.cases.js';
import './access.cases.js';
import './audit.cases.js';
import './bad-input.cases.js';
