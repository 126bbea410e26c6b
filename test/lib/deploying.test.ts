import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Found, stageOf } from '#lib/stages.ts';
import { addressOf } from '../../bin/deployment/account.ts';
import { commandsOf } from '../../bin/deployment/commands.ts';
import { chooseTable } from '../../bin/environment.ts';
import { answering } from '../support/answering.ts';

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

describe('npm run deploy, as a process', () => {
  const ANSWERS: [asked: RegExp, answer: string][] = [
    [/Action=GetCallerIdentity/, '<Account>111122223333</Account>'],
    [
      /Action=DescribeStacks/,
      `<Stacks><member><StackName>any</StackName><StackStatus>UPDATE_COMPLETE</StackStatus><Outputs><member>
      <OutputKey>Address</OutputKey><OutputValue>https://d1.cloudfront.net</OutputValue></member></Outputs></member></Stacks>`,
    ],
    [/Action=ListStackResources/, '<StackResourceSummaries></StackResourceSummaries>'],
  ];

  /** An account of AWS that lets nobody look at anything but its number and its stacks. */
  async function standIn() {
    const { url } = await answering(async (request, response) => {
      const body = await text(request);
      const answer = ANSWERS.find(([asked]) => asked.test(body))?.[1];
      const action = /Action=(\w+)/.exec(body)?.[1];
      response.writeHead(answer ? 200 : 403, { 'content-type': answer ? 'text/xml' : 'application/json' });
      response.end(
        answer
          ? `<${action}Response><${action}Result>${answer}</${action}Result></${action}Response>`
          : JSON.stringify({ __type: 'AccessDeniedException', message: 'Not yours to see' }),
      );
    });
    return url;
  }

  /** Runs it with programs in the place of npm and cdk that print how they are called. */
  async function deploy(words: string[], environment: Record<string, string>) {
    const programs = mkdtempSync(join(tmpdir(), 'deploy-'));
    for (const name of ['npm', 'cdk']) {
      writeFileSync(join(programs, name), `#!/bin/sh\necho ${name} "$@"\n`);
      chmodSync(join(programs, name), 0o755);
    }
    const env = {
      PATH: `${programs}${delimiter}${process.env.PATH}`,
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_CONFIG_FILE: join(programs, 'none'),
      AWS_SHARED_CREDENTIALS_FILE: join(programs, 'none'),
      ...environment,
    };
    const ended = promisify(execFile)(process.execPath, ['bin/deploy.ts', ...words], { env });
    const { stdout, stderr, code = 0 } = await ended.catch(error => error);
    rmSync(programs, { recursive: true });
    return { stdout: stdout.trim().split('\n'), stderr, code };
  }

  it('says what it found, builds, deploys, and says where the stage is and what comes next', async () => {
    const credentials = {
      AWS_ENDPOINT_URL: await standIn(),
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    };
    const { stdout, stderr, code } = await deploy(['dev'], credentials);
    const shown = await deploy(['dev', '--diff'], credentials);
    expect(stderr).toContain('Account 111122223333, eu-central-1.');
    expect(stderr).toContain('Could not look at the table: Not yours to see');
    expect([code, stdout]).toEqual([
      0,
      [
        'npm run -s build -- --quiet',
        'cdk deploy --all -c stage=dev',
        'dev is at https://d1.cloudfront.net',
        'Next:',
        '  npm run whitelist -- --stage dev add <your domain>',
        '  npm run sign-in -- --stage dev <your address>',
      ],
    ]);
    expect(shown.stdout).toEqual(['npm run -s build -- --quiet', 'cdk diff -c stage=dev']);
  });

  it('without credentials says how to get them, and does nothing', async () => {
    const { stdout, stderr, code } = await deploy(['dev'], {});
    expect([code, stdout]).toEqual([1, ['']]);
    expect(stderr).toMatch(/^There are no valid credentials of AWS\.\n {2}Set AWS_PROFILE/);
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
