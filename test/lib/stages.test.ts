import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { obstacle, stageOf } from '#lib/stages.ts';
import cdkJson from '../../cdk.json' with { type: 'json' };

const mine = { domain: 'mail.acme.org', hostedZoneId: 'Z08ABC' };
const placeholder = { domain: 'dev.letterflow.example', hostedZoneId: 'Z00000000000000000000' };

describe('a stage', () => {
  it('that is not declared is refused, with the names of those that are', () => {
    expect(() => stageOf('staging', {})).toThrow('There is no stage staging, but local, dev, prod.');
    expect(() => stageOf('toString', {})).toThrow('There is no stage toString');
  });

  it('that cdk.json does not have is refused, and half a domain, and prod without one', () => {
    expect(() => stageOf('dev', {})).toThrow('cdk.json lacks context.stages.dev.');
    const [domain, zone] = [{ domain: mine.domain }, { hostedZoneId: mine.hostedZoneId }];
    for (const half of [domain, zone])
      expect(() => stageOf('dev', { dev: half })).toThrow(
        'both domain and hostedZoneId at context.stages.dev',
      );
    expect(() => stageOf('prod', { prod: {} })).toThrow('domain and hostedZoneId at context.stages.prod');
  });

  it.each([
    ['the domain', mine, { identity: 'mail.acme.org', from: 'no-reply@mail.acme.org' }],
    ['an address', { mail: 'ann@acme.org' }, { identity: 'ann@acme.org', from: 'ann@acme.org' }],
    [
      'an address beside the domain',
      { ...mine, mail: 'ann@acme.org' },
      { identity: 'ann@acme.org', from: 'ann@acme.org' },
    ],
    ['nobody', {}, undefined],
  ])('sends its own emails from %s', (_, settings, mail) => {
    expect(stageOf('dev', { dev: settings }).mail).toEqual(mail);
  });
});

describe('npm run deploy', () => {
  const deploy = (...words: string[]) => spawnSync('node', ['bin/deploy.ts', ...words], { encoding: 'utf8' });

  it.each([[[]], [['local']], [['staging']]])('with %j prints its usage in one line', words => {
    const { status, stderr, stdout } = deploy(...words);
    expect(stderr).toBe('Name the stage to deploy, one of dev, prod: npm run deploy -- dev\n');
    expect(stdout).toBe('');
    expect(status).toBe(1);
  });

  it('does not deploy to a domain that is a placeholder', () => {
    const { status, stderr, stdout } = deploy('prod');
    expect(stderr).toMatch(/^Write your own domain [^\n]*context\.stages\.prod[^\n]*\n$/);
    expect(stdout).toBe('');
    expect(status).toBe(1);
  });

  it('accepts a stage with a domain and a hosted zone of its own, and dev with neither', () => {
    expect(obstacle('dev', { dev: mine })).toBeUndefined();
    expect(obstacle('dev', { dev: {} })).toBeUndefined();
    expect(obstacle('dev', cdkJson.context.stages)).toBeUndefined();
    expect(obstacle('dev', { dev: { ...mine, domain: placeholder.domain } })).toContain('cdk.json');
    expect(obstacle('dev', { dev: { ...mine, hostedZoneId: placeholder.hostedZoneId } })).toContain(
      'cdk.json',
    );
  });
});
