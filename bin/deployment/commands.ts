import type { Found, Stage } from '#lib/stages.ts';

const DIFF = '--diff';

/** The CDK commands that deploy a stage or show the difference, both with the context that was found in the account. */
export function commandsOf(stage: Stage, { isFirst, identityExists }: Found, options: string[]): string[][] {
  const others = options.filter(option => option !== DIFF);
  const context = ['-c', `stage=${stage.name}`, ...(identityExists ? ['-c', 'identityExists=true'] : [])];
  if (others.length < options.length) return [['cdk', 'diff', ...context, ...others]];
  // Resources that are protected against deletion could not be removed if their first deployment failed. So protection is
  // switched on by a second one.
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
