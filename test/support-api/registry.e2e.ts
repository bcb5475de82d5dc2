import './bottles.cases.js';
import './import.cases.js';
import './gateways.cases.js';
import './plans.cases.js';
import './csv.cases.js';
import './personal-data.cases.js';
