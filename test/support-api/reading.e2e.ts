import './find.cases.js';
import './lists.cases.js';
import './query-plans.cases.js';
import './timeline.cases.js';
import './person.cases.js';
import './taxonomy.cases.js';
