import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { StageName } from '#lib/stages.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { ROOMS } from '../mutation/rooms.ts';
import { composed } from './templates.ts';

it.each<StageName>(['dev', 'prod'])(
  'in %s, links of emails call an alias of each function, and nothing else',
  stage => {
    const { all, functions } = composed(stage);
    const aliases = all('AWS::Lambda::Alias');
    const tracking = functions().filter(({ entry }) => entry.startsWith('functions/tracking/'));
    expect(aliases.map(({ Properties: { FunctionName } }) => FunctionName.Ref).sort()).toEqual(
      tracking.map(({ id }) => id).sort(),
    );
    const called = all('AWS::ApiGatewayV2::Integration')
      .filter(({ stack }) => stack.endsWith('-tracking'))
      .map(({ Properties: { IntegrationUri } }) => IntegrationUri.Ref);
    expect(called.sort()).toEqual(aliases.map(({ id }) => id).sort());
  },
);

describe('the workflow of releases', () => {
  const workflow = readFileSync('.github/workflows/release.yml', 'utf8');

  it('tests, then deploys dev and tries it, and deploys prod after that, where somebody approves', () => {
    const jobs = [...workflow.matchAll(/^ {2}(\w+):\n(?: {4}.*\n)*? {4}needs: (\w+)/gm)].map(
      ([, job, needs]) => `${needs} → ${job}`,
    );
    expect(jobs).toEqual(['test → dev', 'dev → diff', 'diff → prod']);
    expect(workflow).toMatch(/^ {4}environment: prod$/m);
    const steps = ['npm test', ' --diff', ' --require-approval never', 'npm run smoke'].map(step =>
      workflow.indexOf(step),
    );
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(steps).not.toContain(-1);
  });

  it('runs scripts that there are', () => {
    const scripts = [...workflow.matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, name = '']) => name);
    for (const script of scripts) expect(packageJson.scripts).toHaveProperty(script);
  });

  it('plants faults in every room', () => {
    const [, rooms = ''] = /room:\n((?: {10}- \w+\n)+)/.exec(workflow) ?? [];
    expect(rooms.match(/\w+/g)).toEqual(Object.keys(ROOMS));
  });

  it('runs actions of a commit, which nobody can replace', () => {
    const actions = [...workflow.matchAll(/^ *- uses: (.*)$/gm)].map(([, action]) => action);
    expect(actions.length).toBeGreaterThan(5);
    for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('names no account and no key: roles are taken with a token of GitHub', () => {
    expect(workflow).not.toMatch(/\d{12}|AKIA|aws-access-key/i);
    expect(workflow.match(/role-to-assume: .*/g)).toEqual(
      workflow.match(/role-to-assume: \$\{\{ vars\.AWS_ROLE \}\}/g),
    );
    expect(workflow).toContain('id-token: write');
  });
});
