import './register.cases.js';
import './lists.cases.js';
import './find.cases.js';
import './erase.cases.js';
import './live.cases.js';
import './staff.cases.js';
import './push.cases.js';
