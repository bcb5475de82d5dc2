/** The health check of mongos, run by mongosh: adds the shards named in SHARDS that it does not know yet. */
const wanted = process.env.SHARDS.split(' ');
const known = () => db.adminCommand({ listShards: 1 }).shards.map(({ _id }) => _id);

const before = known();
for (const name of wanted.filter((shard) => !before.includes(shard))) sh.addShard(`${name}/${name}:27017`);

const after = known();
if (!wanted.every((shard) => after.includes(shard))) quit(1);

load(`${__dirname}/account.js`);
