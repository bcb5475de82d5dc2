/**
 * Of a health check, run by mongosh: the services' account `pillwatch`, in `admin`, has MONGO_PASSWORD; it is created if
 * there is none. It may read and write the database `pillwatch` and, where there are SHARDS, shard it.
 */
const AUTHENTICATION_FAILED = 18;
const { MONGO_PASSWORD: pwd, SHARDS } = process.env;

try {
  connect(`mongodb://pillwatch:${pwd}@127.0.0.1:27017/pillwatch?authSource=admin&directConnection=true`);
} catch (error) {
  if (error.code !== AUTHENTICATION_FAILED) throw error;
  const admin = db.getSiblingDB('admin');
  const roles = [{ role: 'readWrite', db: 'pillwatch' }, ...(SHARDS ? ['clusterManager'] : [])];
  const account = { pwd, roles };
  if (admin.getUser('pillwatch')) admin.updateUser('pillwatch', account);
  else admin.createUser({ user: 'pillwatch', ...account });
}
