import './count-mismatch.cases.js';
import './killed.cases.js';
import './reconcile.cases.js';
import './shared-plans.cases.js';
