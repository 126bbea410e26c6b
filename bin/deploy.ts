// npm run deploy -- <stage> [options of cdk deploy]
import { spawnSync } from 'node:child_process';
import cdkJson from '../cdk.json' with { type: 'json' };
import { obstacle } from '../lib/stages.ts';

const [stage, ...options] = process.argv.slice(2);
const refusal = obstacle(stage, cdkJson.context.stages);

if (refusal) {
  console.error(refusal);
  process.exitCode = 1;
} else {
  run('npm', 'run', '-s', 'build');
  run('cdk', 'deploy', '--all', '-c', `stage=${stage}`, ...options);
}

/** Ends this command with the one that fails. */
function run(command: string, ...words: string[]): void {
  const { status, error } = spawnSync(command, words, { stdio: 'inherit' });
  if (error) console.error(error.message);
  if (status !== 0) process.exit(status ?? 1);
}
