// npm run deploy -- <stage> [options of cdk deploy]
import { spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import cdkJson from '../cdk.json' with { type: 'json' };
import { HOME_REGION, obstacle, type Stage, stageOf } from '../lib/stages.ts';
import { type Finding, lookAround, nextSteps } from './deployment/checks.ts';

const [name, ...options] = process.argv.slice(2);
const refusal = obstacle(name, cdkJson.context.stages);

if (refusal) {
  console.error(refusal);
  process.exitCode = 1;
} else {
  await deploy(stageOf(name, cdkJson.context.stages));
}

async function deploy(stage: Stage): Promise<void> {
  // Imported now: the clients take longer than the refusal.
  const { account } = await import('./deployment/account.ts');
  const findings = await lookAround(stage, account);
  for (const finding of findings) console.error(written(finding));
  const stopping = findings.filter(({ stops }) => stops);
  if (!(await canGoOn(stopping))) {
    process.exitCode = 1;
    return;
  }

  const { isFirst, identityExists } = Object.assign({}, ...findings.map(({ found }) => found));
  const context = ['-c', `stage=${stage.name}`, ...(identityExists ? ['-c', 'identityExists=true'] : [])];
  run('npm', 'run', '-s', 'build');
  // What is protected against deletion could not be removed if its first deployment failed: that comes second.
  if (isFirst && stage.guarded) {
    run('cdk', 'deploy', `letterflow-${stage.name}-data`, ...context, '-c', 'isFirst=true', ...options);
  }
  run('cdk', 'deploy', '--all', ...context, ...options);
  const front = await account.stack(`letterflow-${stage.name}-front`, HOME_REGION);
  console.log(nextSteps(stage, front?.outputs.Address ?? ''));
}

const written = ({ says, todo }: Finding) => (todo ? `${says}\n  ${todo}` : says);

/** Offers to do what is missing, where that is all that stops. */
async function canGoOn(stopping: Finding[]): Promise<boolean> {
  const [first, ...others] = stopping;
  if (!first) return true;
  if (!first.unprepared || !first.todo || others.length > 0 || !process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question('Do that now? (y/n) ');
  terminal.close();
  if (!/^y/i.test(answer)) return false;
  const [, ...words] = first.todo.split(' ');
  run('npx', ...words);
  return true;
}

/** Ends this command with the one that fails. */
function run(command: string, ...words: string[]): void {
  const { status, error } = spawnSync(command, words, { stdio: 'inherit' });
  if (error) console.error(error.message);
  if (status !== 0) process.exit(status ?? 1);
}
