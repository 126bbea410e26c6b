import type { Found, Stage } from '../../lib/stages.ts';

const DIFF = '--diff';

/** The commands of CDK that deploy a stage, or show what would change; both with what was found in the account. */
export function commandsOf(stage: Stage, { isFirst, identityExists }: Found, options: string[]): string[][] {
  const others = options.filter(option => option !== DIFF);
  const context = ['-c', `stage=${stage.name}`, ...(identityExists ? ['-c', 'identityExists=true'] : [])];
  if (others.length < options.length) return [['cdk', 'diff', ...context, ...others]];
  // What is protected against deletion could not be removed if its first deployment failed: that comes second.
  const data = [
    'cdk',
    'deploy',
    `letterflow-${stage.name}-data`,
    ...context,
    '-c',
    'isFirst=true',
    ...others,
  ];
  const all = ['cdk', 'deploy', '--all', ...context, ...others];
  return isFirst && stage.guarded ? [data, all] : [all];
}

export const isDiff = (options: string[]) => options.includes(DIFF);
