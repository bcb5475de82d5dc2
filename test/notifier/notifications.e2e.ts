import './delivery.cases.js';
import './webhook.cases.js';
import './throttle.cases.js';
import './flapping.cases.js';
import './fairness.cases.js';
