import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Mistake, messageOf } from '../mistake.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PLATFORM = `${process.platform}-${process.arch}`;
const NAME = `@dynoxide/${PLATFORM}`;

/** The binary of the DynamoDB engine: the one that npm has installed, or else one in `dataDir`. */
export function dynamodbBinary(dataDir: string, log: (line: string) => void): string {
  const installed = bundledBinary() ?? binaryIn(dataDir);
  if (existsSync(installed)) return installed;
  const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const wanted = `${NAME}@${optionalDependencies['@dynoxide/linux-x64']}`;
  log(`Installing ${wanted}, the DynamoDB engine for this machine`);
  try {
    execFileSync('npm', ['install', '--prefix', resolve(dataDir), '--no-save', '--no-package-lock', wanted], {
      stdio: 'pipe',
    });
  } catch (error) {
    throw new Mistake(
      `No DynamoDB engine for ${PLATFORM}: ${wanted} does not install (${firstLine(error)}). Set DYNAMODB_ENDPOINT to another one, such as DynamoDB Local.`,
    );
  }
  return binaryIn(dataDir);
}

function bundledBinary(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${NAME}/package.json`)), 'dynoxide');
  } catch {
    return undefined;
  }
}

const binaryIn = (directory: string) => join(directory, 'node_modules', NAME, 'dynoxide');

const firstLine = (error: unknown) => messageOf(error).split('\n')[0];

/**
 * For each write, the engine looks up the highest sequence number of all changes. Without this index it scans them, which gets
 * slow after tens of thousands.
 */
export function indexStream(file: string): void {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  database.exec(
    'CREATE INDEX IF NOT EXISTS stream_in_order ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
  );
  database.close();
}

/** Ends an engine that was left running, which happens if all processes of a stack are killed at once. */
export function endStaleDynamodb(dataDir: string): void {
  const file = join(dataDir, 'dynamodb.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8'));
  if (Number.isInteger(pid) && commandOf(pid).includes(join(dataDir, 'dynamodb.sqlite'))) {
    process.kill(pid, 'SIGKILL');
  }
  rmSync(file, { force: true });
}

/** The command line of a process; empty if there is none. It tells whether another process has got this id since. */
function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
