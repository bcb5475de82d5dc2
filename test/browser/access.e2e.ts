import './sign-in.cases.js';
import './staff.cases.js';
