import './open.cases.js';
import './silent.cases.js';
import './doses.cases.js';
import './look-ahead.cases.js';
import './battery-low.cases.js';
import './shared-token.cases.js';
import './coverage-gap.cases.js';
import './claims.cases.js';
