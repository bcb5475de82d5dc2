/**
 * The health check of a replica set of one, run inside its container by mongosh: makes the set the first
 * time, and is healthy once the member takes writes (MongoServerError or exit code 1 otherwise).
 * Environment: REPLICA_SET, MEMBER (host:port as the others reach it), CONFIG_SERVER=true for that kind.
 */
const NOT_YET_INITIALIZED = 94;

try {
  db.adminCommand({ replSetGetStatus: 1 });
} catch (error) {
  if (error.code !== NOT_YET_INITIALIZED) throw error;
  rs.initiate({
    _id: process.env.REPLICA_SET,
    ...(process.env.CONFIG_SERVER === 'true' && { configsvr: true }),
    members: [{ _id: 0, host: process.env.MEMBER }],
  });
}
if (!db.hello().isWritablePrimary) quit(1);
if (process.env.MONGO_PASSWORD) load(`${__dirname}/account.js`);

// Of the service `mongo` only: what waits for its health waits for the database it will really use, which
// in the sharded profile is the mongos.
const { MONGODB_URI } = process.env;
if (MONGODB_URI && !connect(MONGODB_URI).hello().isWritablePrimary) quit(1);
