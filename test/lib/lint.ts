// npm run lint:templates
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { composed, VARIANTS, type Variant } from './templates.ts';

// https://github.com/aws-cloudformation/cfn-lint, which is written in Python.
const { CFN_LINT: linter = 'cfn-lint' } = process.env;

const version = spawnSync(linter, ['--version'], { encoding: 'utf8' });
if (version.status !== 0) {
  console.log(`Skipped: ${linter} is not here. With Python: pip install cfn-lint, or name it in CFN_LINT.`);
} else {
  for (const variant of Object.keys(VARIANTS) as Variant[]) lint(variant);
}

function lint(variant: Variant): void {
  const directory = composed(variant).app.synth().directory;
  const templates = globSync(`${directory}/*.template.json`);
  if (templates.length === 0) throw new Error(`${directory} has no template`);
  // Errors alone: what it warns of is how CDK writes templates.
  const { status } = spawnSync(
    linter,
    ['--non-zero-exit-code', 'error', '--ignore-checks', 'W', 'I', '--', ...templates],
    { stdio: 'inherit' },
  );
  console.log(
    `${variant}: ${templates.length} templates, ${status === 0 ? 'no error' : 'errors, see above'}`,
  );
  if (status !== 0) process.exitCode = 1;
}
