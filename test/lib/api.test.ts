import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#lib/constructs/bundle.ts';
import { ServiceFunction } from '#lib/constructs/service-function.ts';
import { MCP, METADATA } from '#lib/stacks/api.ts';
import { PROVIDER_EVENTS } from '#lib/stacks/provider-events.ts';
import { TRACKING_ROUTES } from '#lib/stacks/tracking.ts';
import { stageOf } from '#lib/stages.ts';
import { type Group, gatewayKeysOf, groups, programRoutes, routes } from '#shared/routes.ts';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { composed } from './templates.ts';

const { all, functions, templates } = composed('dev');
const groupOf = new Map(
  (Object.keys(groups) as Group[]).flatMap(group =>
    gatewayKeysOf(group).map((key): [string, string] => [key, group]),
  ),
);

const deployed = all('AWS::ApiGatewayV2::Route');

describe('the routes', () => {
  it('are those of the contract and of tracking, and no other', () => {
    const declared = [...groupOf.keys(), ...Object.keys(TRACKING_ROUTES), PROVIDER_EVENTS, MCP, METADATA];
    const keys: string[] = deployed.map(({ Properties }) => Properties.RouteKey);
    expect(keys.sort()).toEqual(declared.sort());
    // Each call of the contract has one: its own, or that of its path for all methods.
    const calls = Object.keys({ ...routes, ...programRoutes });
    const ofPath = (key: string) => key.replace(/^\w+/, 'ANY');
    expect(calls.filter(key => keys.includes(key) === keys.includes(ofPath(key)))).toEqual([]);
  });

  it('leave twenty of the 300 that API Gateway takes', () => {
    expect(deployed.length).toBeLessThanOrEqual(280);
  });

  it('invoke the function of their group', () => {
    const integrations = Object.fromEntries(
      all('AWS::ApiGatewayV2::Integration').map(({ id, Properties }) => [id, Properties.IntegrationUri]),
    );
    const entries = Object.fromEntries(functions().map(({ id, entry }) => [id, entry]));
    const aliases = Object.fromEntries(
      all('AWS::Lambda::Alias').map(({ id, Properties }) => [id, Properties.FunctionName.Ref]),
    );
    for (const { Properties } of deployed) {
      const group = groupOf.get(Properties.RouteKey);
      const invoked = integrations[Properties.Target['Fn::Join'][1][1].Ref];
      const fn = aliases[invoked.Ref] ?? invoked['Fn::GetAtt'][0];
      if (group) expect(entries[fn], Properties.RouteKey).toBe(`functions/api/${group}.ts`);
      else if ([MCP, METADATA].includes(Properties.RouteKey))
        expect(entries[fn]).toBe('functions/mcp/mcp.ts');
      else if (Properties.RouteKey === PROVIDER_EVENTS) {
        expect(entries[fn]).toBe('functions/sending/provider-events.ts');
      } else expect(entries[fn], Properties.RouteKey).toMatch(/^functions\/tracking\//);
    }
  });

  it('have the authorizer that admits CloudFront alone', () => {
    for (const { Properties } of deployed) {
      expect(Properties, Properties.RouteKey).toMatchObject({
        AuthorizationType: 'CUSTOM',
        AuthorizerId: expect.anything(),
      });
    }
  });
});

describe('a resource group', () => {
  it.each(Object.keys(groups))('%s has its file and exactly one function', group => {
    const entry = `functions/api/${group}.ts`;
    expect(existsSync(join(ROOT, entry)), entry).toBe(true);
    expect(functions().filter(fn => fn.entry === entry)).toHaveLength(1);
  });

  it('without its file is an error that names it', () => {
    const stack = new Stack(new App(), 'Fresh');
    const stage = stageOf('dev', cdkJson.context.stages);
    expect(() => new ServiceFunction(stack, 'fresh', { stage, entry: 'functions/api/fresh.ts' })).toThrow(
      'functions/api/fresh.ts is missing: the function fresh runs it',
    );
  });
});

it('functions check their answers everywhere but in production', () => {
  const checks = (stage: 'dev' | 'local' | 'prod') =>
    composed(stage)
      .functions()
      .filter(({ entry }) => entry.startsWith('functions/api/'))
      .map(({ Properties }) => Properties.Environment.Variables.CHECK_ANSWERS);
  expect(new Set(checks('dev'))).toEqual(new Set(['true']));
  expect(new Set(checks('local'))).toEqual(new Set(['true']));
  expect(new Set(checks('prod'))).toEqual(new Set(['false']));
});

it('the stage limits the routes of sign-in after they exist: API Gateway refuses settings of any other', () => {
  const stage = templates.flatMap(({ resources }) =>
    Object.values(resources).filter(({ Type }) => Type === 'AWS::ApiGatewayV2::Stage'),
  );
  const limited = Object.keys(stage[0]?.Properties.RouteSettings);
  expect(limited).toEqual(Object.keys(routes).filter(key => key.includes('/api/login/')));
  const existing = deployed.filter(({ id }) => stage[0]?.DependsOn.includes(id));
  expect(existing.map(({ Properties }) => Properties.RouteKey)).toEqual(expect.arrayContaining(limited));
});

it('what users make it call is on the machine that it runs on only where the local stack is told to let them', () => {
  const posting = functions().filter(
    ({ Properties }) => 'WEBHOOK_LOOPBACK' in Properties.Environment.Variables,
  );
  expect(posting.map(({ entry }) => entry).sort()).toEqual([
    'functions/api/connection.ts',
    'functions/api/unsubscribe-webhook.ts',
    'functions/background/unsubscribe-webhook.ts',
  ]);
  for (const { Properties } of posting) expect(Properties.Environment.Variables.WEBHOOK_LOOPBACK).toBe('0');
});

it('the functions of lists, of automations and of sending, and no others, have the Mailgun URLs of both regions; they, what verifies events and what has to do with webhooks decrypt the keys of lists', () => {
  const having = (variable: RegExp) =>
    functions().filter(({ Properties }) =>
      Object.keys(Properties.Environment.Variables).some(name => variable.test(name)),
    );
  const configured = having(/MAILGUN/);
  const entries = configured.map(({ entry }) => entry);
  expect(
    having(/SENDING_KEYS/)
      .map(({ entry }) => entry)
      .sort(),
  ).toEqual(
    [
      ...entries,
      'functions/api/unsubscribe-webhook.ts',
      'functions/background/unsubscribe-webhook.ts',
      'functions/sending/provider-events.ts',
    ].sort(),
  );
  expect(entries.sort()).toEqual([
    'functions/api/automation.ts',
    'functions/api/list.ts',
    'functions/sending/dead-packs.ts',
    'functions/sending/sender.ts',
  ]);
  for (const { Properties } of configured)
    expect(Properties.Environment.Variables).toMatchObject({
      MAILGUN_US_URL: 'https://api.mailgun.net',
      MAILGUN_EU_URL: 'https://api.eu.mailgun.net',
      SENDING_KEYS: { 'Fn::ImportValue': expect.stringMatching(/SendingKeys\w+Arn/) },
    });
});
