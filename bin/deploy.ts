// npm run deploy -- <stage> [--diff] [options of cdk deploy, or of cdk diff]
import { spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import cdkJson from '../cdk.json' with { type: 'json' };
import { type Found, obstacle, type Stage, stageOf } from '../lib/stages.ts';
import { checkAccount, type Finding, nextSteps } from './deployment/checks.ts';
import { commandsOf, isDiff } from './deployment/commands.ts';

const [name, ...options] = process.argv.slice(2);
const refusal = obstacle(name, cdkJson.context.stages);

if (refusal) {
  console.error(refusal);
  process.exitCode = 1;
} else {
  await deploy(stageOf(name, cdkJson.context.stages));
}

async function deploy(stage: Stage): Promise<void> {
  // Imported late: loading the AWS clients takes longer than refusing a stage.
  const { account, addressOf } = await import('./deployment/account.ts');
  const findings = await checkAccount(stage, account);
  for (const finding of findings) console.error(written(finding));
  const stopping = findings.filter(({ stops }) => stops);
  if (!(await mayDeploy(stopping))) {
    process.exitCode = 1;
    return;
  }

  const found: Found = Object.assign({}, ...findings.map(({ found }) => found));
  run('npm', 'run', '-s', 'build', '--', '--quiet');
  for (const { unprepared = [] } of stopping) run('cdk', 'bootstrap', ...unprepared);
  for (const [command = '', ...words] of commandsOf(stage, found, options)) run(command, ...words);
  if (!isDiff(options)) console.log(nextSteps(stage, (await addressOf(stage.name)) ?? ''));
}

function written({ says, todo }: Finding): string {
  return todo ? `${says}\n  ${todo}` : says;
}

/** Returns true if nothing stops the deployment, or only that CDK is not bootstrapped, and the user agrees to do that now. */
async function mayDeploy(stopping: Finding[]): Promise<boolean> {
  const [first, ...others] = stopping;
  if (!first) return true;
  if (!first.unprepared || others.length > 0 || !process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question('Prepare CDK there now? (y/n) ');
  terminal.close();
  return /^y/i.test(answer);
}

function run(command: string, ...words: string[]): void {
  const { status, error } = spawnSync(command, words, { stdio: 'inherit' });
  if (error) console.error(error.message);
  if (status !== 0) process.exit(status ?? 1);
}
