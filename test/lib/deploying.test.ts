import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addressOf } from '../../bin/deployment/account.ts';
import { commandsOf } from '../../bin/deployment/commands.ts';
import { chooseTable } from '../../bin/environment.ts';
import { type Found, stageOf } from '../../lib/stages.ts';

const DOMAIN = { domain: 'mail.acme.org', hostedZoneId: 'Z08ABC' };
const commands = (name: 'dev' | 'prod', found: Found = {}, ...options: string[]) =>
  commandsOf(stageOf(name, { [name]: DOMAIN }), found, options).map(words => words.join(' '));

describe('npm run deploy', () => {
  it('deploys all of a stage, with what was found in the account, and the options that it was given', () => {
    expect(commands('dev', { isFirst: true })).toEqual(['cdk deploy --all -c stage=dev']);
    expect(commands('prod', { identityExists: true }, '--require-approval', 'never')).toEqual([
      'cdk deploy --all -c stage=prod -c identityExists=true --require-approval never',
    ]);
  });

  it('deploys the data of prod alone the first time, and protects it after that', () => {
    expect(commands('prod', { isFirst: true, identityExists: true }, '--verbose')).toEqual([
      'cdk deploy letterflow-prod-data -c stage=prod -c identityExists=true -c isFirst=true --verbose',
      'cdk deploy --all -c stage=prod -c identityExists=true --verbose',
    ]);
  });

  it('with --diff shows what the same deployment would change, and deploys nothing', () => {
    expect(commands('prod', { isFirst: true, identityExists: true }, '--diff', '--method=template')).toEqual([
      'cdk diff -c stage=prod -c identityExists=true --method=template',
    ]);
  });
});

describe('the address of a stage', () => {
  const cloudFormation = mockClient(CloudFormationClient);
  afterEach(() => cloudFormation.reset());

  it('is what its stack says that was deployed', async () => {
    const Outputs = [{ OutputKey: 'Address', OutputValue: 'https://d1.cloudfront.net' }];
    const stack = { StackName: 'letterflow-dev-front', CreationTime: new Date(0) };
    cloudFormation
      .resolves({})
      .on(DescribeStacksCommand, { StackName: stack.StackName })
      .resolves({ Stacks: [{ ...stack, StackStatus: 'UPDATE_COMPLETE' as const, Outputs }] });
    expect(await addressOf('dev')).toBe('https://d1.cloudfront.net');
  });

  it('is unknown where it is not deployed; what may not be read is no absence', async () => {
    const refused = (name: string, message: string) =>
      cloudFormation.rejects(Object.assign(new Error(message), { name }));
    refused('ValidationError', 'Stack with id letterflow-dev-front does not exist');
    expect(await addressOf('dev')).toBeUndefined();
    refused('AccessDenied', 'not authorized');
    await expect(addressOf('dev')).rejects.toThrow('not authorized');
  });
});

it('a command reads the table of its stage where that is, whatever region the shell is set to', () => {
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('TABLE_NAME', '');
  chooseTable('dev', 'usage');
  expect([process.env.AWS_REGION, process.env.TABLE_NAME]).toEqual(['eu-central-1', 'letterflow-dev']);
  vi.unstubAllEnvs();
});
