import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { obstacle, stageOf } from '../../lib/stages.ts';

const mine = { domain: 'mail.acme.org', hostedZoneId: 'Z08ABC' };
const placeholder = { domain: 'dev.letterflow.example', hostedZoneId: 'Z00000000000000000000' };

describe('a stage', () => {
  it('that is not declared is refused, with the names of those that are', () => {
    expect(() => stageOf('staging', {})).toThrow('There is no stage staging, but local, dev, prod.');
    expect(() => stageOf('toString', {})).toThrow('There is no stage toString');
  });

  it('without an address in cdk.json is refused', () => {
    expect(() => stageOf('dev', {})).toThrow('cdk.json lacks context.stages.dev.');
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
    const { status, stderr, stdout } = deploy('dev');
    expect(stderr).toMatch(/^Write your own domain [^\n]*context\.stages\.dev[^\n]*\n$/);
    expect(stdout).toBe('');
    expect(status).toBe(1);
  });

  it('accepts a stage with a domain and a hosted zone of its own', () => {
    expect(obstacle('dev', { dev: mine })).toBeUndefined();
    expect(obstacle('dev', { dev: { ...mine, domain: placeholder.domain } })).toContain('cdk.json');
    expect(obstacle('dev', { dev: { ...mine, hostedZoneId: placeholder.hostedZoneId } })).toContain(
      'cdk.json',
    );
  });
});
