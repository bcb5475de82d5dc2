import { DatabaseConfig, loadConfig, OptionalText, runningDatabaseUri } from '#platform';
import { IsString } from 'class-validator';

/** Where a command looks for its database. */
class AdminConfig {
  @OptionalText()
  MONGODB_URI?: string;

  /** Of an `npm start` that runs now, whose database is taken without MONGODB_URI. */
  @IsString()
  DATA_DIR = '.data';
}

/** The settings of a command. @throws ConfigError if neither MONGODB_URI nor DATA_DIR has a database */
export async function loadAdminConfig(env = process.env): Promise<DatabaseConfig> {
  const { MONGODB_URI, DATA_DIR } = loadConfig(AdminConfig, env);
  return loadConfig(DatabaseConfig, {
    ...env,
    MONGODB_URI: MONGODB_URI ?? (await runningDatabaseUri(DATA_DIR)),
  });
}
