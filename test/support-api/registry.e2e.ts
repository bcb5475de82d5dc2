import './idempotency.cases.js';
import './bottles.cases.js';
import './conditional.cases.js';
import './csv.cases.js';
import './gateways.cases.js';
import './import.cases.js';
import './personal-data.cases.js';
import './plans.cases.js';
